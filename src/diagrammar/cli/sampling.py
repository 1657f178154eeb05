"""What a user says of a model's sampling."""

from __future__ import annotations

import click


def temperature_of(given: str) -> float | None:
    """The number, or None for `none`: then none is sent. Raises UsageError."""
    if given.lower() == "none":
        return None
    try:
        return float(given)
    except ValueError as error:
        raise click.UsageError(f"--temperature {given!r} is neither a number nor none") from error
