"""The metrics that a network computes, on networks that can be worked out by hand."""

from __future__ import annotations

import hashlib
import io
import json
import math
import re
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper, save
from PIL import Image

from diagrammar.doctor import examine
from diagrammar.metrics import clip, fid, kid, lpips
from diagrammar.metrics.pictures.networks import features_of
from diagrammar.metrics.pictures.prepare import plain_png
from diagrammar.metrics.pictures.weights import CLIP, INCEPTION, LPIPS, find_weights, signature_of
from diagrammar.metrics.protocol import Failed, count_failed
from diagrammar.records.diagrams import TexFailure
from diagrammar.records.scenes import Scene
from diagrammar.records.scores import Case, NotComputed, Side

RED, YELLOW, BLACK, WHITE = "#ff0000", "#ffff00", "#000000", "#ffffff"
NO_WEIGHTS = NotComputed(reason="no weights (see diagrammar doctor)")


def write_mean_color(
    path: Path, *, side: int = 256, length: int = 3, scale: float = 1.0, rows: int | None = None,
    kind: int = TensorProto.UINT8, logarithm: bool = False,
) -> Path:  # fmt: skip
    """A network that gives the mean colour (red, green, blue from 0 to 1) times `scale`, then zeros.

    `rows`: of only the first so many rows of pixels. `logarithm`: of the colours, which has none for 0.
    """
    spread = np.zeros((3, length), dtype=np.float32)
    np.fill_diagonal(spread, scale)
    constants = {
        "full": np.float32(255),
        "plane": np.array([2, 3], dtype=np.int64),
        "spread": spread,
        "start": np.array([0], dtype=np.int64),
        "end": np.array([rows or side], dtype=np.int64),
        "down": np.array([2], dtype=np.int64),
    }
    nodes = [
        helper.make_node("Cast", ["pixels"], ["float"], to=TensorProto.FLOAT),
        helper.make_node("Slice", ["float", "start", "end", "down"], ["part"]),
        helper.make_node("Div", ["part", "full"], ["colors"]),
        helper.make_node("ReduceMean", ["colors", "plane"], ["mean"], keepdims=0),
        helper.make_node("Log" if logarithm else "Identity", ["mean"], ["seen"]),
        helper.make_node("MatMul", ["seen", "spread"], ["features"]),
    ]
    graph = helper.make_graph(
        nodes,
        "mean_color",
        [helper.make_tensor_value_info("pixels", kind, [1, 3, side, side])],
        [helper.make_tensor_value_info("features", TensorProto.FLOAT, [1, length])],
        [numpy_helper.from_array(np.asarray(value), name) for name, value in constants.items()],
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)])
    model.ir_version = 10
    save(model, path)
    return path


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of weights, empty."""
    for network in (CLIP, LPIPS, INCEPTION):
        monkeypatch.delenv(network.path_variable, raising=False)
        monkeypatch.delenv(network.digest_variable, raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path / "diagrammar" / "weights"


def side(picture: str | bytes) -> Side:
    png = plain_png(picture) if isinstance(picture, str) else picture
    return Side(code="x", scene=Scene(size_pt=(9, 9), objects=()), png=png)


def case(truth: str | bytes, candidate: str | bytes) -> Case:
    return Case(truth=side(truth), candidate=side(candidate))


FAILED = Case(truth=side(RED), candidate=Side(code="", failure=TexFailure(kind="no_code", message="none")))


def value(metric, *cases: Case):
    measured = [metric.measure(one) for one in cases]
    return next((m for m in measured if isinstance(m, NotComputed)), None) or metric.pool(measured)


def test_clip_is_the_cosine_of_what_the_network_sees(folder: Path) -> None:
    write_mean_color(folder / "clip.onnx", side=224, length=512)
    assert value(clip.METRIC, case(RED, YELLOW)) == pytest.approx(1 / math.sqrt(2))
    assert value(clip.METRIC, case(RED, "#00ff00")) == 0.0
    assert value(clip.METRIC, case("#123456", "#123456")) == 1.0
    assert value(clip.METRIC, case(BLACK, RED)) == 0.0  # a vector without length
    assert value(clip.METRIC, case(RED, YELLOW), FAILED) == pytest.approx(1 / math.sqrt(8))


def test_lpips_is_the_squared_distance_and_a_failed_candidate_counts_as_one(folder: Path) -> None:
    write_mean_color(folder / "lpips.onnx", scale=0.5)
    assert value(lpips.METRIC, case(WHITE, RED)) == pytest.approx(0.5)  # green and blue: 2 * (1/2)^2
    assert value(lpips.METRIC, case(RED, RED)) == 0.0
    assert value(lpips.METRIC, case(WHITE, RED), FAILED) == pytest.approx(0.75)
    assert lpips.METRIC.lower_is_better


def test_fid_is_of_the_pictures_there_are_and_says_how_many_are_not(folder: Path) -> None:
    write_mean_color(folder / "inception.onnx", length=2048)
    cases = [case(BLACK, RED), FAILED, case(RED, RED)]
    # red is 0 and 1 in the truths (mean 1/2, variance 1/2), 1 and 1 in the candidates
    assert value(fid.METRIC, *cases) == pytest.approx(0.25 + 0.5)
    measured = [fid.METRIC.measure(one) for one in cases]
    assert count_failed(measured) == 1
    assert isinstance(measured[1], Failed)


def test_kid_of_black_and_white_pictures_by_hand(folder: Path) -> None:
    write_mean_color(folder / "inception.onnx", length=2048)
    # kernels: 1 of two black ones and of black and white, (3/2048 + 1)^3 of two white ones
    expected = 1 + (3 / 2048 + 1) ** 3 - 2
    assert value(kid.METRIC, case(BLACK, WHITE), case(BLACK, WHITE)) == pytest.approx(expected)


@pytest.mark.parametrize("metric", [fid.METRIC, kid.METRIC], ids=["fid", "kid"])
def test_one_picture_a_side_has_no_distance_of_sets(metric, folder: Path) -> None:
    write_mean_color(folder / "inception.onnx", length=2048)
    for cases in ([case(RED, RED)], [FAILED], [case(RED, RED), FAILED]):
        assert value(metric, *cases).reason == f"{metric.name.upper()} needs at least 2 pictures a side"


def test_rows_of_pixels_come_from_the_top(folder: Path) -> None:
    picture = Image.new("RGB", (256, 256), "#0000ff")
    picture.paste("#ff0000", (0, 0, 256, 64))
    buffer = io.BytesIO()
    picture.save(buffer, "PNG")
    write_mean_color(folder / "lpips.onnx", rows=32)
    assert features_of(LPIPS, buffer.getvalue()).tolist() == [1, 0, 0]


def test_features_are_computed_once_and_anew_when_the_weights_change(folder: Path) -> None:
    path = write_mean_color(folder / "lpips.onnx")
    first = features_of(LPIPS, plain_png(RED))
    assert features_of(LPIPS, plain_png(RED)) is first
    write_mean_color(path, scale=2.5)
    assert features_of(LPIPS, plain_png(RED)).tolist() == [2.5, 0, 0]


@pytest.mark.parametrize("metric", [clip.METRIC, lpips.METRIC, fid.METRIC, kid.METRIC], ids=lambda m: m.name)
def test_without_weights_nothing_is_computed(metric) -> None:
    assert value(metric, case(RED, RED)) == NO_WEIGHTS
    assert value(metric, FAILED) == NO_WEIGHTS
    assert "|weights:none" in replace(metric).signature


def test_without_the_runtime_nothing_is_computed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_mean_color(folder / "lpips.onnx")
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    assert value(lpips.METRIC, case(RED, RED)).reason.startswith("onnxruntime is not installed")


def test_the_signature_names_the_weights(folder: Path) -> None:
    digest = hashlib.sha256(
        write_mean_color(folder / "clip.onnx", side=224, length=512).read_bytes()
    ).hexdigest()
    assert f"|net:vit-b-32|weights:sha256-{digest[:12]}" in replace(clip.METRIC).signature
    assert signature_of(INCEPTION) == "none"


def test_weights_lie_where_the_variable_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_mean_color(tmp_path / "elsewhere" / "mine.onnx")
    monkeypatch.setenv("DIAGRAMMAR_LPIPS_WEIGHTS", str(path))
    assert find_weights(LPIPS).path == path
    assert value(lpips.METRIC, case(WHITE, WHITE)) == 0.0
    monkeypatch.setenv("DIAGRAMMAR_LPIPS_SHA256", hashlib.sha256(path.read_bytes()).hexdigest().upper())
    assert find_weights(LPIPS).path == path
    monkeypatch.setenv("DIAGRAMMAR_LPIPS_SHA256", "0" * 64)
    assert "not 000000000000" in value(lpips.METRIC, case(WHITE, WHITE)).reason


def test_weights_that_are_not_those_of_their_record_are_not_used(folder: Path) -> None:
    path = write_mean_color(folder / "lpips.onnx")
    record = {
        "network": "lpips",
        "source": "made in a test",
        "made_with": "onnx",
        "parameters": "",
        "sha256": "",
    }
    record["sha256"] = hashlib.sha256(path.read_bytes()).hexdigest()
    (folder / "lpips.json").write_text(json.dumps(record))
    assert find_weights(LPIPS).record.source == "made in a test"
    write_mean_color(path, scale=2)
    assert value(lpips.METRIC, case(WHITE, RED)).reason.startswith(f"{path}: sha256 is ")


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (
            {"side": 224},
            r"takes one uint8 \[1, 3, 256, 256\], this network tensor\(uint8\) \[1, 3, 224, 224\]",
        ),
        ({"kind": TensorProto.FLOAT}, r"takes one uint8 .* this network tensor\(float\)"),
        ({"length": 512}, r"inception gives \[1, 2048\], this network \[1, 512\]"),
    ],
)
def test_a_network_of_another_shape_is_no_substitute(folder: Path, options, reason: str) -> None:
    write_mean_color(folder / "inception.onnx", **{"length": 2048, **options})
    found = value(fid.METRIC, case(RED, RED), case(RED, RED))
    assert isinstance(found, NotComputed)
    assert re.search(reason, found.reason), found.reason


def test_a_file_that_is_no_network_and_numbers_that_are_none_are_one_clear_line(folder: Path) -> None:
    folder.mkdir(parents=True)
    (folder / "lpips.onnx").write_bytes(b"<html>404</html>")
    assert "lpips.onnx is no ONNX network: " in value(lpips.METRIC, case(RED, RED)).reason
    write_mean_color(folder / "lpips.onnx", logarithm=True)
    assert value(lpips.METRIC, case(WHITE, WHITE)) == 0.0
    assert "no finite numbers" in value(lpips.METRIC, case(WHITE, BLACK)).reason


def test_a_picture_that_cannot_be_read_is_not_computed(folder: Path) -> None:
    write_mean_color(folder / "lpips.onnx")
    assert value(lpips.METRIC, case(RED, b"GIF89a")).reason == "no PNG that can be read: not a PNG file"


def test_doctor_tells_which_weights_are_there(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    digest = hashlib.sha256(
        write_mean_color(folder / "clip.onnx", side=224, length=512).read_bytes()
    ).hexdigest()
    write_mean_color(folder / "lpips.onnx")
    monkeypatch.setenv("DIAGRAMMAR_LPIPS_SHA256", "0" * 64)
    told = {finding.name: finding for finding in examine() if finding.group == "network"}
    there, other, missing = (told[network.title] for network in (CLIP, LPIPS, INCEPTION))
    assert (there.found, there.version) == (True, f"sha256 {digest[:12]}")
    assert not other.found and "not 000000000000" in other.cost
    assert (missing.found, missing.cost) == (False, "fid and kid are not computed")
    assert (
        missing.remedy == "diagrammar weights fetch inception, or its path in $DIAGRAMMAR_INCEPTION_WEIGHTS"
    )
