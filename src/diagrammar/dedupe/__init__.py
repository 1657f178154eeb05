"""Near-duplicates among diagrams: by code, by drawn objects, by picture."""
