"""What the files of this room share: sources, blocks, definitions, documents."""
