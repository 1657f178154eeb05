"""One TeX package's manual per file: where its sources are and how its examples read.

`catalog.load("diagrammar.manuals", "tikz-pgf", Manual)` gives one; what they share is in `reading/`.
"""
