"""The caches that LuaTeX and XeTeX keep of this machine's fonts: built once outside the sandbox, read-only inside it.

`python -m diagrammar.tex.fontcache` builds them in $XDG_CACHE_HOME/diagrammar/texmf-var (a few seconds; safe to run
again after fonts were installed). Without them every document that loads a system font makes its own list first.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

from diagrammar.errors import ToolMissing

# Reading these once leaves their tables in the cache: what fontspec and unicode-math take when nothing is asked for.
WARM_UP = r"""\documentclass{article}
\usepackage{fontspec,unicode-math}
\begin{document}
A \textbf{A} \textit{A} {\tiny A} {\large A} {\Large A} {\sffamily A \textbf{A} \textit{A}} {\ttfamily A}
$A_{A_A}\mathbf{A}$
\IfFontExistsTF{DejaVu Sans}{\fontspec{DejaVu Sans}A \textbf{A}}{}
\IfFontExistsTF{DejaVu Serif}{\fontspec{DejaVu Serif}A \textbf{A}}{}
\IfFontExistsTF{DejaVu Sans Mono}{\fontspec{DejaVu Sans Mono}A}{}
\IfFontExistsTF{TeX Gyre Termes}{\fontspec{TeX Gyre Termes}A \textbf{A} \textit{A}}{}
\end{document}
"""
# A font that is not in the list is not there: no new list for it, which would take minutes on machines with many fonts.
CONFIGURATION = "[db]\nupdate-live = false\n"
CONFIGURATION_FILE = "luaotfload.conf"


def own_cache() -> Path:
    """Where this package keeps its font caches."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return Path(base) / "diagrammar" / "texmf-var"


@cache
def font_caches() -> tuple[Path, ...]:
    """The cache folders that exist: this package's own, then TeX's for this user and this machine."""
    candidates = [own_cache()]
    answer = subprocess.run(
        ["kpsewhich", "-var-value=TEXMFCACHE"], capture_output=True, text=True, stdin=subprocess.DEVNULL
    )
    candidates += [Path(name) for name in answer.stdout.strip().split(os.pathsep) if name]
    return tuple(folder for folder in candidates if (folder / "luatex-cache").is_dir())


def lay_out(folder: Path) -> None:
    """Put the list of fonts into a document's own cache `folder`/texmf-var, where alone luaotfload looks for it."""
    for known in font_caches():
        lists = list((known / "luatex-cache").glob("*/names"))
        for names in lists:
            shutil.copytree(names, folder / "texmf-var" / "luatex-cache" / names.parent.name / "names")
        if lists:
            (folder / CONFIGURATION_FILE).write_text(CONFIGURATION, encoding="utf-8")
            return


def prepare() -> Path:
    """The cache folder, with the list of this machine's fonts and the tables of the common ones. Raises ToolMissing."""
    folder = own_cache()
    folder.mkdir(parents=True, exist_ok=True)
    environment = {
        **os.environ, "TEXMFVAR": str(folder), "TEXMFCACHE": str(folder), "XDG_CACHE_HOME": str(folder),
    }  # fmt: skip
    for program in ("luaotfload-tool", "lualatex"):
        if shutil.which(program) is None:
            raise ToolMissing(f"{program} is not on PATH; run scripts/setup.sh")
    subprocess.run(
        ["luaotfload-tool", "--update", "--quiet"],
        env=environment,
        stdin=subprocess.DEVNULL,
        check=True,
        timeout=900,
    )
    if shutil.which("fc-cache"):
        subprocess.run(["fc-cache"], env=environment, stdin=subprocess.DEVNULL, check=True, timeout=900)
    with tempfile.TemporaryDirectory() as work:
        (Path(work) / "warm.tex").write_text(WARM_UP, encoding="utf-8")
        # a font that is missing here ends the run early; what was read until then is in the cache
        subprocess.run(
            ["lualatex", "-no-shell-escape", "-interaction=batchmode", "warm.tex"], cwd=work, env=environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, timeout=300,
        )  # fmt: skip
    font_caches.cache_clear()
    return folder


if __name__ == "__main__":
    sys.stdout.write(f"font caches are in {prepare()}\n")
