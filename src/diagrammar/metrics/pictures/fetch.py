"""metrics, pictures: a network's published weights, by the library that people know it from -> a file of ours.

Needs the extra `weights`, once, on a machine that reaches the weights' host. Scoring needs the file alone.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
import tempfile
import warnings
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from diagrammar.errors import BadInput, ToolMissing
from diagrammar.metrics.pictures.weights import NETWORKS, Network, Record, Weights, record_path, weights_path

if TYPE_CHECKING:
    import torch

CLIP_REPOSITORY = "openai/clip-vit-base-patch32"


class Fetched(NamedTuple):
    """A network of torch with its published weights, and where they are from."""

    model: torch.nn.Module
    source: str


def fetch_weights(network: Network) -> Weights:
    """The network's weights file, made anew, with its record beside it.

    Raises ToolMissing where the extra `weights` is not installed, BadInput where the weights' host cannot be
    reached or the folder not be written.
    """
    with (
        contextlib.redirect_stdout(sys.stderr),
        warnings.catch_warnings(),
    ):  # these libraries tell what they do
        warnings.simplefilter("ignore")
        fetched = _fetched(network)
        from diagrammar.metrics.pictures import export

        file = getattr(export, f"export_{network.name}")(fetched.model)
    record = Record(
        network=network.name,
        source=fetched.source,
        made_with=f"torch {version('torch')}, onnxscript {version('onnxscript')}",
        parameters=export.parameters_digest(fetched.model),
        sha256=hashlib.sha256(file).hexdigest(),
    )
    path = weights_path(network)
    try:
        _write(path, file)
        _write(record_path(path), record.model_dump_json(indent=1).encode())
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror or error}") from error
    return Weights(path, record.sha256, record)


def _fetched(network: Network) -> Fetched:
    try:
        import onnxscript  # noqa: F401 - the exporter's, looked for now rather than after the download
        import torchvision  # noqa: F401 - imported by all three libraries
    except ImportError as error:
        raise ToolMissing(f"{error.name} is not installed; pip install 'diagrammar[weights]'") from error
    except (OSError, RuntimeError) as error:
        told = " ".join(str(error).split())[:100]
        raise ToolMissing(
            f"torchvision does not load ({told}): install it and torch from one index"
        ) from error
    try:
        return _FETCH[network.name]()
    except ImportError as error:
        raise ToolMissing(
            f"{error.name or error} is not installed; pip install 'diagrammar[weights]'"
        ) from error
    except OSError as error:
        told = " ".join(str(error).split())[:200]
        raise BadInput(f"the weights of {network.name} could not be fetched: {told}") from error


def _fetch_clip() -> Fetched:
    from transformers import CLIPVisionModelWithProjection

    model = CLIPVisionModelWithProjection.from_pretrained(CLIP_REPOSITORY).eval()
    commit = getattr(model.config, "_commit_hash", None) or "unknown"
    return Fetched(model, f"{CLIP_REPOSITORY} at {commit}, transformers {version('transformers')}")


def _fetch_lpips() -> Fetched:
    import lpips

    model = lpips.LPIPS(net="alex", version="0.1", verbose=False).eval()
    return Fetched(model, f"lpips {version('lpips')}, AlexNet of torchvision {version('torchvision')}")


def _fetch_inception() -> Fetched:
    from torch_fidelity.feature_extractor_inceptionv3 import FeatureExtractorInceptionV3

    model = FeatureExtractorInceptionV3("inception-v3-compat", ["2048"]).eval()
    return Fetched(model, f"inception-v3-compat of torch-fidelity {version('torch-fidelity')}")


_FETCH: dict[str, Callable[[], Fetched]] = {
    "clip": _fetch_clip,
    "lpips": _fetch_lpips,
    "inception": _fetch_inception,
}
assert _FETCH.keys() == NETWORKS.keys()


def _write(path: Path, content: bytes) -> None:
    """All of the content or nothing under this name."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.chmod(name, 0o644)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise
