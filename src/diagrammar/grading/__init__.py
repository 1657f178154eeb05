"""Answers to questions: read from replies, graded by rules, the doubtful ones by a judge; docs/grading.md."""
