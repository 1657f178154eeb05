"""From TeX on disk to a collection of diagrams: collect, then refine."""
