"""metrics, pictures, step 2: a picture -> a network's features of it, by onnxruntime. Next: clip, lpips, fid, kid."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from diagrammar.errors import BadInput
from diagrammar.metrics.pictures.kept import Kept
from diagrammar.metrics.pictures.prepare import prepare, resized
from diagrammar.metrics.pictures.weights import Network, find_weights
from diagrammar.records.scores import Case, NotComputed

Features = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class FeaturePair:
    """What a network sees in the two pictures of a case."""

    truth: Features
    candidate: Features


@dataclass(frozen=True)
class Loaded:
    """A network ready to run, and the features of the pictures seen last."""

    run: Callable[[NDArray[np.uint8]], Features]
    kept: Kept[Features]


def compare_features(network: Network, case: Case) -> FeaturePair | NotComputed:
    """The network's features of both pictures, or why there are none."""
    assert case.truth.png and case.candidate.png
    try:
        return FeaturePair(*(features_of(network, png) for png in (case.truth.png, case.candidate.png)))
    except BadInput as error:
        return NotComputed(reason=str(error))


def features_of(network: Network, png: bytes) -> Features:
    """The network's features of a picture, a vector. Each picture is run by itself, so that none depends on others.

    Raises BadInput for what is no PNG, and for weights that are missing or no network of this kind.
    """
    weights = find_weights(network)
    if isinstance(weights, NotComputed):
        raise BadInput(weights.reason)
    loaded = _load(network, weights.path, weights.sha256)
    return loaded.kept.of(png, lambda png: _run(network, loaded, png))


def _run(network: Network, loaded: Loaded, png: bytes) -> Features:
    pixels = resized(prepare(png), network.side_px)
    features = loaded.run(np.ascontiguousarray(pixels.transpose(2, 0, 1)[None]))
    if not np.isfinite(features).all():
        raise BadInput(f"the weights of {network.name} give no finite numbers for this picture")
    features.setflags(write=False)
    return features


@lru_cache(maxsize=8)
def _load(network: Network, path: Path, sha256: str) -> Loaded:  # noqa: ARG001 - another digest is another network
    """The network of this file. Raises BadInput for a file that is none, or one of another shape."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    # One thread: the pool above has a worker per core, and sums keep their order.
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    try:
        session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # the runtime's errors for a broken file share no other base
        raise BadInput(f"{path} is no ONNX network: {_first_line(error)}") from error
    given, made = session.get_inputs(), session.get_outputs()
    wanted = ["tensor(uint8)", [1, 3, network.side_px, network.side_px]]
    if len(given) != 1 or [given[0].type, [1, *given[0].shape[1:]]] != wanted:
        told = "; ".join(f"{one.type} {one.shape}" for one in given)
        raise BadInput(f"{path}: {network.name} takes one uint8 {wanted[1]}, this network {told}")
    if len(made) != 1 or len(made[0].shape) != 2 or network.length not in (None, made[0].shape[1]):
        told = "; ".join(str(one.shape) for one in made)
        raise BadInput(f"{path}: {network.name} gives [1, {network.length or 'n'}], this network {told}")
    name = given[0].name

    def run(pixels: NDArray[np.uint8]) -> Features:
        (features,) = session.run(None, {name: pixels})
        vector: Features = np.array(features[0], dtype=np.float32)
        return vector

    return Loaded(run, Kept(size=network.kept))


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0]
