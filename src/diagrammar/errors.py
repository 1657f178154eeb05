"""The errors a user may meet; each says what, where and what to do next."""


class DiagrammarError(Exception):
    """Base of all errors this package raises on purpose."""


class ToolMissing(DiagrammarError):
    """A program or an optional package that the task needs is not installed."""


class BadInput(DiagrammarError):
    """A file, folder or option that the user gave cannot be used."""


class StoreCorrupt(DiagrammarError):
    """A stage folder does not hold what its manifest promises."""


class ModelUnreachable(DiagrammarError):
    """A model endpoint refused the connection or the credentials."""
