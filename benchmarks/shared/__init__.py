"""What the benchmarks share: the draw of documents, partial results on disk, tables."""
