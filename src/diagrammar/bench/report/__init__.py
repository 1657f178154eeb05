"""bench, step 5: Evaluated -> a report for people (HTML), for papers (Markdown) and for machines (JSON)."""
