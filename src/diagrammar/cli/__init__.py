"""The command line: a file per command, each defining `command`; no logic here."""
