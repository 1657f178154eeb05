"""Objects and a 300 dpi picture of a .tex file; tells the outcome and CPU times as JSON.

python ours.py FILE        one file
python ours.py --serve     a file name a line on stdin, an answer a line on stdout
"""

from __future__ import annotations

import json
import resource
import sys
from pathlib import Path


def main() -> None:
    if sys.argv[1:] != ["--serve"]:
        print(json.dumps(_one(Path(sys.argv[1]))))
        return
    for line in sys.stdin:
        before = _cpu_s()
        told = _one(Path(line.strip()))
        print(json.dumps({**told, "own_cpu_s": _cpu_s() - before}), flush=True)


def _one(path: Path) -> dict[str, object]:
    from diagrammar.scene.picture import read_drawing
    from diagrammar.tex import compile_tex

    result = compile_tex(path.read_text(encoding="utf-8"))
    if not result.ok:
        return {"ok": False, "why": f"{result.kind}: {result.message[:120]}", "tex_cpu_s": result.cpu_seconds}
    scene, picture = read_drawing(result, dpi=300)
    path.with_suffix(".json").write_text(scene.model_dump_json(), encoding="utf-8")
    path.with_suffix(".png").write_bytes(picture.png)
    return {"ok": True, "why": "", "tex_cpu_s": result.cpu_seconds}


def _cpu_s() -> float:
    both = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in both)


if __name__ == "__main__":
    main()
