"""Compare the picture metrics with the libraries that people know them from; freeze values for the tests.

    make crosscheck                               # in an environment of its own, build/crosscheck
    python scripts/crosscheck.py [--freeze]       # in one that holds scripts/crosscheck.txt

Networks have random weights, the same on both sides, exported as `diagrammar weights fetch` exports the real ones.
A line per comparison: how many values, the largest difference, the bound. Exit code 1 where one is out of bounds.
--freeze writes tests/metrics/pictures.json, which the tests read instead of installing all this. Takes some minutes.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version
from itertools import chain, combinations_with_replacement, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import torch

from diagrammar.metrics import clip, fid, kid, lpips
from diagrammar.metrics.pictures import export
from diagrammar.metrics.pictures.frechet import frechet_distance
from diagrammar.metrics.pictures.kernel import kernel_distance
from diagrammar.metrics.pictures.networks import FeaturePair, features_of
from diagrammar.metrics.pictures.prepare import prepare
from diagrammar.metrics.pictures.structural import structural_similarity
from diagrammar.metrics.pictures.weights import CLIP, INCEPTION, LPIPS, Network

TESTS = Path(__file__).parent.parent / "tests" / "metrics"
PICTURES = {path.stem: path.read_bytes() for path in sorted((TESTS / "pictures").glob("*.png"))}
CHOSEN = (
    "automaton",
    "automaton_recoloured",
    "automaton_without_loop",
    "ball",
    "bars",
    "gates",
    "grey",
    "white",
)
COMPARED_WITH = ("lpips", "numpy", "torch", "torch-fidelity", "torchmetrics", "transformers")
# Pictures of the truth, pictures of the candidate, features of each, seed.
SETS = ((2, 2, 8, 1), (5, 7, 512, 2), (40, 40, 256, 3), (300, 250, 16, 4), (64, 64, 64, 5))


@dataclass(frozen=True)
class Compared:
    """How far apart ours and theirs are, at most."""

    what: str
    differences: tuple[float, ...]
    bound: float

    @property
    def within(self) -> bool:
        return bool(self.differences) and max(self.differences) <= self.bound


def main() -> None:
    """Run all comparisons."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])  # type: ignore[union-attr]
    parser.add_argument("--freeze", action="store_true", help="write tests/metrics/pictures.json")
    parser.add_argument("--skip-networks", action="store_true", help="SSIM and drawn features only")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    load_torchvision()
    golden: dict[str, Any] = {"made_with": {name: version(name) for name in COMPARED_WITH}}
    good = True
    for compared in chain(ssim(golden), sets(golden), () if given.skip_networks else networks()):
        good = good and compared.within
        state = "ok" if compared.within else "TOO FAR"
        print(
            f"{compared.what:<60} {len(compared.differences):>4} values, "
            f"{max(compared.differences):.1e} apart (bound {compared.bound:.0e}) {state}",
            flush=True,
        )
    if given.freeze and good:
        lines = ",\n".join(f"{json.dumps(key)}: {_rows(value)}" for key, value in golden.items())
        (TESTS / "pictures.json").write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
    sys.exit(not good)


def load_torchvision() -> None:
    """torchvision, where need be without its own operators, which no network here uses.

    Built for CUDA beside a torch without it, it cannot load them and then fails to register stand-ins for two.
    """
    try:
        import torchvision
    except RuntimeError:
        missing = torch.library.Library("torchvision", "DEF")
        for name in ("nms", "qnms"):
            missing.define(f"{name}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
        globals()["_KEEP"] = missing  # they go when it goes
        import torchvision  # noqa: F401


def ssim(golden: dict[str, Any]) -> Iterator[Compared]:
    """Pairs of pictures. In single precision torchmetrics itself is that far from itself in double."""
    from torchmetrics.functional.image import structural_similarity_index_measure

    values: dict[torch.dtype, list[float]] = {torch.float64: [], torch.float32: []}
    pairs = list(combinations_with_replacement(CHOSEN, 2))
    for truth, candidate in pairs:
        for dtype, found in values.items():
            ours, theirs = (_tensor(PICTURES[name]).to(dtype) / 255 for name in (truth, candidate))
            found.append(float(structural_similarity_index_measure(theirs, ours, data_range=1.0)))
    mine = [structural_similarity(PICTURES[truth], PICTURES[candidate]) for truth, candidate in pairs]
    golden["ssim"] = [[*pair, value] for pair, value in zip(pairs, values[torch.float64], strict=True)]
    yield _compared("SSIM, torchmetrics in double precision", mine, values[torch.float64], 1e-9)
    yield _compared("SSIM, torchmetrics in single precision", mine, values[torch.float32], 5e-5)


def sets(golden: dict[str, Any]) -> Iterator[Compared]:
    """FID and KID of drawn features; KID with all pictures in one subset, since draws differ."""
    drawn = [draw_features(*numbers) for numbers in SETS]
    theirs = [reference_fid(*sides) for sides in drawn]
    golden["fid"] = [[*numbers, value] for numbers, value in zip(SETS, theirs, strict=True)]
    mine = [frechet_distance(*sides) for sides in drawn]
    yield _compared("FID of drawn features, torchmetrics", [1.0] * len(mine), np.divide(mine, theirs), 1e-6)
    even = [(numbers, sides) for numbers, sides in zip(SETS, drawn, strict=True) if numbers[0] == numbers[1]]
    theirs = [reference_kid(*sides) for _, sides in even]
    golden["kid"] = [[*numbers, value] for (numbers, _), value in zip(even, theirs, strict=True)]
    rng = np.random.default_rng(0)
    mine = [kernel_distance(*sides, subset_size=1000, subsets=1, rng=rng) for _, sides in even]
    yield _compared("KID of drawn features, torchmetrics", mine, theirs, 1e-9)


def draw_features(truths: int, candidates: int, length: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Two sets of features; tests/metrics/test_pictures_sets.py draws the same."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(truths, length)), rng.normal(0.3, 1.5, size=(candidates, length))


def networks() -> Iterator[Compared]:
    """Each network with random weights, from the pictures to the number."""
    pairs = list(pairwise(CHOSEN))
    with tempfile.TemporaryDirectory() as folder:
        model = random_clip()
        install(CLIP, export.export_clip(model), folder)
        theirs = [reference_clip(model, PICTURES[a], PICTURES[b]) for a, b in pairs]
        mine = [clip.cosine(_pair(CLIP, a, b)) for a, b in pairs]
        yield _compared("CLIP cosine, transformers' model and preprocessing", mine, theirs, 1e-5)

        model = random_lpips()
        install(LPIPS, export.export_lpips(model), folder)
        theirs = [reference_lpips(model, PICTURES[a], PICTURES[b]) for a, b in pairs]
        mine = [lpips.distance(_pair(LPIPS, a, b)) for a, b in pairs]
        yield _compared("LPIPS, lpips with its own linear layers", mine, theirs, 1e-6)

        model, file = random_inception(folder)
        install(INCEPTION, export.export_inception(model), folder)
        yield from inception(model, file)


def inception(model: torch.nn.Module, file: str) -> Iterator[Compared]:
    """The features themselves, and FID and KID of half of the pictures against the other half."""
    from torchmetrics.image.fid import FrechetInceptionDistance
    from torchmetrics.image.kid import KernelInceptionDistance

    features = {name: features_of(INCEPTION, PICTURES[name]) for name in CHOSEN}
    theirs = np.concatenate([model(_tensor(PICTURES[name]))[0].numpy().ravel() for name in CHOSEN])
    mine = np.concatenate([features[name] for name in CHOSEN])
    yield _compared("Inception features, torch-fidelity (share of the largest)",
                    mine / abs(theirs).max(), theirs / abs(theirs).max(), 1e-5)  # fmt: skip
    half = len(CHOSEN) // 2
    scale = 100 / float(abs(theirs).max())  # random weights see little, and kernels of nothing are all 1
    truths, candidates = CHOSEN[:half], CHOSEN[half : 2 * half]
    pairs = [FeaturePair(features[a], features[b]) for a, b in zip(truths, candidates, strict=True)]
    fids = FrechetInceptionDistance(2048, feature_extractor_weights_path=file, antialias=False)
    kids = KernelInceptionDistance(Looking(model, scale), subsets=1, subset_size=half)
    for metric in (fids, kids):
        for real, group in ((True, truths), (False, candidates)):
            metric.update(torch.cat([_tensor(PICTURES[name]) for name in group]), real=real)
    scaled = [FeaturePair(pair.truth * scale, pair.candidate * scale) for pair in pairs]
    found = fid.METRIC.pool(pairs), kid.METRIC.pool(scaled)
    theirs_fid, theirs_kid = float(fids.compute()), float(kids.compute()[0])
    assert isinstance(found[0], float) and isinstance(found[1], float)
    yield _compared("FID of pictures, torchmetrics (ratio)", [found[0] / theirs_fid], [1.0], 1e-4)
    yield _compared("KID of pictures, torchmetrics (ratio)", [found[1] / theirs_kid], [1.0], 1e-3)


def install(network: Network, file: bytes, folder: str) -> None:
    """Makes the file the network's weights for this process."""
    path = Path(folder) / f"{network.name}.onnx"
    path.write_bytes(file)
    os.environ[network.path_variable] = str(path)


def random_clip() -> torch.nn.Module:
    from transformers import CLIPVisionConfig, CLIPVisionModelWithProjection

    torch.manual_seed(1)
    return CLIPVisionModelWithProjection(CLIPVisionConfig(patch_size=32)).eval()


def reference_clip(model: torch.nn.Module, truth: bytes, candidate: bytes) -> float:
    from PIL import Image
    from transformers import CLIPImageProcessorPil

    pictures = [Image.fromarray(prepare(png)) for png in (truth, candidate)]
    given = CLIPImageProcessorPil()(images=pictures, return_tensors="pt")
    with torch.no_grad():
        ours, theirs = model(**given).image_embeds
    return float(torch.nn.functional.cosine_similarity(ours, theirs, dim=0))


def random_lpips() -> torch.nn.Module:
    import lpips as reference

    torch.manual_seed(2)
    return reference.LPIPS(net="alex", pnet_rand=True, verbose=False).eval()


def reference_lpips(model: torch.nn.Module, truth: bytes, candidate: bytes) -> float:
    with torch.no_grad():
        return float(model(_tensor(truth) / 255, _tensor(candidate) / 255, normalize=True))


def random_inception(folder: str) -> tuple[torch.nn.Module, str]:
    """torch-fidelity's extractor without its download, and its parameters as a file."""
    from torch_fidelity.feature_extractor_inceptionv3 import FeatureExtractorInceptionV3

    class Unread(FeatureExtractorInceptionV3):
        def load_state_dict(self, *_: Any) -> None: ...

    torch.manual_seed(3)
    file = str(Path(folder) / "inception.pth")
    torch.save({}, file)
    model = Unread("random", ["2048"], feature_extractor_weights_path=file).eval()
    torch.save(model.state_dict(), file)
    return model, file


def reference_fid(truth: np.ndarray, candidate: np.ndarray) -> float:
    from torchmetrics.image.fid import FrechetInceptionDistance

    metric = FrechetInceptionDistance(feature=Given(truth.shape[1])).set_dtype(torch.float64)
    metric.update(torch.from_numpy(truth), real=True)
    metric.update(torch.from_numpy(candidate), real=False)
    return float(metric.compute())


def reference_kid(truth: np.ndarray, candidate: np.ndarray) -> float:
    from torchmetrics.image.kid import KernelInceptionDistance

    metric = KernelInceptionDistance(feature=Given(truth.shape[1]), subsets=1, subset_size=len(truth))
    metric.update(torch.from_numpy(truth), real=True)
    metric.update(torch.from_numpy(candidate), real=False)
    return float(metric.compute()[0])


class Given(torch.nn.Module):
    """Stands where torchmetrics wants a network: what is given are features already."""

    def __init__(self, length: int) -> None:
        super().__init__()
        self.num_features = length

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        return features if features.dtype == torch.float64 else torch.zeros(1, self.num_features)


class Looking(torch.nn.Module):
    """torch-fidelity's extractor as torchmetrics wants a network of one's own."""

    num_features = 2048

    def __init__(self, model: torch.nn.Module, scale: float) -> None:
        super().__init__()
        self.model, self.scale = model, scale

    def forward(self, pixels: torch.Tensor) -> torch.Tensor:
        (features,) = self.model(pixels)
        return features.double() * self.scale


def _pair(network: Network, truth: str, candidate: str) -> FeaturePair:
    return FeaturePair(features_of(network, PICTURES[truth]), features_of(network, PICTURES[candidate]))


def _tensor(png: bytes) -> torch.Tensor:
    return torch.from_numpy(prepare(png).copy()).permute(2, 0, 1)[None]


def _compared(what: str, mine: Any, theirs: Any, bound: float) -> Compared:
    apart = np.abs(np.subtract(mine, theirs, dtype=np.float64))
    return Compared(what, tuple(map(float, apart)), bound)


def _rows(value: Any) -> str:
    if isinstance(value, list):
        return "[\n" + ",\n".join(f"  {json.dumps(row)}" for row in value) + "\n]"
    return json.dumps(value)


if __name__ == "__main__":
    main()
