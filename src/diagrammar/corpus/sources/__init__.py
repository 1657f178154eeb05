"""One kind of source per file: how it is opened and how its parts are read. A new source is a new file here."""
