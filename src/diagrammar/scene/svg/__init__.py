"""The second reader: SVG pages of pgf's dvisvgm driver -> the inks that the counting rules take. Needs lxml."""
