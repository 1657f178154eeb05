"""The benchmark: tasks, runs, scores, reports."""
