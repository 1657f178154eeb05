"""Compiled -> Scene, what is drawn."""

from diagrammar.scene.read import read_scene

__all__ = ["read_scene"]
