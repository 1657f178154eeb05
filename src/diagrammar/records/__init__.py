"""Every type that crosses a stage, a file per family."""
