"""metrics, pictures: the networks, where the weights of each lie and which they are. Next: networks.py."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from pydantic import ValidationError

from diagrammar.records.scenes import Frozen
from diagrammar.records.scores import NotComputed

NO_WEIGHTS = "no weights (see diagrammar doctor)"
NO_RUNTIME = "onnxruntime is not installed (pip install 'diagrammar[vision]')"


@dataclass(frozen=True)
class Network:
    """A network as an ONNX file: `pixels`, uint8 of 1 x 3 x side x side (RGB), gives `features`, 1 x length.

    All that it does to pixels beside the resizing stands in the file, so no caller can feed a wrong range.
    """

    name: str
    title: str
    side_px: int
    length: int | None  # of its features; None where any will do
    kept: int  # pictures whose features are kept in memory
    cost: str  # what there is not without it

    @property
    def path_variable(self) -> str:
        return f"DIAGRAMMAR_{self.name.upper()}_WEIGHTS"

    @property
    def digest_variable(self) -> str:
        return f"DIAGRAMMAR_{self.name.upper()}_SHA256"


CLIP = Network("clip", "CLIP ViT-B/32, image side", 224, 512, 4096, "clip is not computed")
LPIPS = Network("lpips", "LPIPS 0.1 on AlexNet", 256, None, 32, "lpips is not computed")  # 2.5 MB a picture
INCEPTION = Network("inception", "Inception v3 of FID", 256, 2048, 4096, "fid and kid are not computed")
NETWORKS = {network.name: network for network in (CLIP, LPIPS, INCEPTION)}


class Record(Frozen):
    """What is told of a weights file beside it, as `NAME.json`, by the command that made it."""

    network: str
    source: str
    made_with: str
    parameters: str = ""  # sha256 of the parameters alone: two exports of the same network differ as files
    sha256: str


@dataclass(frozen=True)
class Weights:
    """A weights file that is there."""

    path: Path
    sha256: str
    record: Record | None


def weights_path(network: Network) -> Path:
    """Where the weights are looked for: $DIAGRAMMAR_CLIP_WEIGHTS and so on, else NAME.onnx of the folder."""
    given = os.environ.get(network.path_variable)
    return Path(given) if given else weights_folder() / f"{network.name}.onnx"


def weights_folder() -> Path:
    """$XDG_DATA_HOME/diagrammar/weights, the home of that being ~/.local/share."""
    base = os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")
    return Path(base) / "diagrammar" / "weights"


def find_weights(network: Network) -> Weights | NotComputed:
    """The network's weights, or why there are none that can be trusted.

    The file has to be the one of its record and of $DIAGRAMMAR_CLIP_SHA256 and so on, where these are there.
    """
    path = weights_path(network)
    try:
        state = path.stat()
        digest = _digest(path, state.st_size, state.st_mtime_ns)
    except FileNotFoundError:
        return NotComputed(reason=NO_WEIGHTS)
    except OSError as error:
        return NotComputed(reason=f"{path}: {error.strerror or error}")
    record = read_record(path)
    wanted = [os.environ.get(network.digest_variable, "").lower(), record.sha256 if record else ""]
    for sha256 in filter(None, wanted):
        if sha256 != digest:
            return NotComputed(reason=f"{path}: sha256 is {digest[:12]}, not {sha256[:12]}")
    return Weights(path, digest, record)


def lacking(network: Network) -> NotComputed | None:
    """What this machine lacks to run the network; None where it can."""
    if find_spec("onnxruntime") is None:
        return NotComputed(reason=NO_RUNTIME)
    found = find_weights(network)
    return found if isinstance(found, NotComputed) else None


def signature_of(network: Network) -> str:
    """`sha256-` and the start of the weights' digest, or `none`."""
    found = find_weights(network)
    return "none" if isinstance(found, NotComputed) else f"sha256-{found.sha256[:12]}"


def record_path(weights: Path) -> Path:
    return weights.with_suffix(".json")


def read_record(weights: Path) -> Record | None:
    """What is told of the file; None where nothing is that can be read."""
    try:
        return Record.model_validate_json(record_path(weights).read_bytes())
    except (OSError, ValidationError):
        return None


@lru_cache(maxsize=8)
def _digest(path: Path, size: int, mtime_ns: int) -> str:  # noqa: ARG001 - another size or time is another file
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
