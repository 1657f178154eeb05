"""From the numbers of single answers to those of a model: composites, intervals, comparisons, attempts. Pure."""
