"""A way of asking per file: prompt and solve. The words are ours; their content is that of the paper's S1 to S16."""
