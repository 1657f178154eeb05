"""Refined diagrams -> tasks, a file per kind of task."""
