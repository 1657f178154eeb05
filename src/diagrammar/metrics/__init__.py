"""A metric per file: measure(case) -> statistics, pool(list) -> score. docs/metrics.md defines each."""
