from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = str(Path(sys.executable).with_name("diagrammar"))


def weights(home: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    kept = {key: value for key, value in os.environ.items() if not key.startswith("DIAGRAMMAR_")}
    return subprocess.run(
        [PROGRAM, "weights", *arguments],
        env={**kept, "XDG_DATA_HOME": str(home), **environment},
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip


def test_list_says_where_weights_belong_and_which_are_there(tmp_path: Path) -> None:
    mine = tmp_path / "mine.onnx"
    mine.write_bytes(b"weights")
    told = weights(tmp_path, "list", DIAGRAMMAR_LPIPS_WEIGHTS=str(mine))
    assert told.returncode == 0
    assert told.stderr == "weights of 1 of 3 networks are there\n"
    assert f"{mine}\n  sha256 {hashlib.sha256(b'weights').hexdigest()}\n  source: not told" in told.stdout
    expected = tmp_path / "diagrammar" / "weights" / "clip.onnx"
    assert f"expected: {expected}, or the path in $DIAGRAMMAR_CLIP_WEIGHTS" in told.stdout


def test_list_tells_a_machine_the_same(tmp_path: Path) -> None:
    mine = tmp_path / "mine.onnx"
    mine.write_bytes(b"weights")
    told = weights(tmp_path, "list", "--json", DIAGRAMMAR_CLIP_WEIGHTS=str(mine))
    clip, lpips, inception = map(json.loads, told.stdout.splitlines())
    assert (clip["network"], clip["path"], clip["source"]) == ("clip", str(mine), "not told")
    assert clip["sha256"] == hashlib.sha256(b"weights").hexdigest()
    assert lpips["missing"] == inception["missing"] == "no weights (see diagrammar doctor)"


def test_fetch_leaves_what_is_there(tmp_path: Path) -> None:
    folder = tmp_path / "diagrammar" / "weights"
    folder.mkdir(parents=True)
    (folder / "clip.onnx").write_bytes(b"weights")
    told = weights(tmp_path, "fetch", "clip")
    assert told.returncode == 0
    assert told.stderr == f"{folder / 'clip.onnx'} is there already; --force makes it anew\n"
    assert (folder / "clip.onnx").read_bytes() == b"weights"


@pytest.mark.parametrize(
    ("raised", "line"),
    [
        (
            "ImportError('none', name='torchvision')",
            "torchvision is not installed; pip install 'diagrammar[weights]'",
        ),
        (
            "RuntimeError('operator torchvision::nms does not exist')",
            "torchvision does not load (operator torchvision::nms does not exist): "
            "install it and torch from one index",
        ),
    ],
)
def test_fetch_without_its_libraries_is_one_clear_line(tmp_path: Path, raised: str, line: str) -> None:
    (tmp_path / "onnxscript.py").write_text("")
    (tmp_path / "torchvision.py").write_text(f"raise {raised}\n")
    told = weights(tmp_path, "fetch", "lpips", PYTHONPATH=str(tmp_path))
    assert told.returncode == 1
    assert told.stderr == f"diagrammar: {line}\n"
    assert not (tmp_path / "diagrammar").exists()


def test_fetch_without_a_way_to_the_host_is_one_clear_line(tmp_path: Path) -> None:
    for name in ("onnxscript", "torchvision"):
        (tmp_path / f"{name}.py").write_text("")
    # Where the library would ask its host, it meets what every library here makes of that: an OSError.
    (tmp_path / "lpips.py").write_text(
        "def LPIPS(**_):\n    print('Setting up')\n    raise OSError('<urlopen error>\\nName not known')\n"
    )
    told = weights(tmp_path, "fetch", "lpips", PYTHONPATH=str(tmp_path))
    assert told.returncode == 2
    assert told.stdout == ""
    assert told.stderr.splitlines()[-1] == (
        "diagrammar: the weights of lpips could not be fetched: <urlopen error> Name not known"
    )


def test_fetch_of_no_network_names_those_there_are(tmp_path: Path) -> None:
    told = weights(tmp_path, "fetch", "resnet")
    assert told.returncode == 2
    for name in ("clip", "lpips", "inception"):
        assert name in told.stderr
