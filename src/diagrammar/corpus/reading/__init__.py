"""What the sources of a corpus share: trees of TeX files, what they ask for, and what a picture needs of them."""
