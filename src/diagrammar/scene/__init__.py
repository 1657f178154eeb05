"""Compiled -> Scene, what is drawn."""

from diagrammar.scene.read import read_scene, reader_failed

__all__ = ["read_scene", "reader_failed"]
