"""Models that answer prompts: real ones by one adapter, reference ones for calibration."""

from diagrammar.models.model import Model, Sampling
from diagrammar.models.provider import resolve

__all__ = ["Model", "Sampling", "resolve"]
