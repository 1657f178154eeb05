"""Documents that try to get out. Every attack is real and runs through the engine it is made for."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import time
from pathlib import Path

import pytest

from diagrammar.records.diagrams import ENGINES, Compiled, Engine, TexFailure
from diagrammar.sandbox import Limits, bubblewrap_problem, run_limited
from diagrammar.tex import compile_tex
from diagrammar.tex.document import Document
from diagrammar.tex.marks import make_nonce
from diagrammar.tex.source import read_source

CANARY = "quetzalcoatlus"
pytestmark = pytest.mark.skipif(bubblewrap_problem() is not None, reason="bubblewrap cannot run here")


def document(body: str, *, preamble: str = "") -> str:
    return f"\\documentclass{{article}}\n{preamble}\n\\begin{{document}}\nshown\n{body}\n\\end{{document}}\n"


def lua(code: str) -> str:
    return document("", preamble=f"\\usepackage{{luacode}}\n\\begin{{luacode*}}\n{code}\n\\end{{luacode*}}")


def attack(text: str, engine: Engine, *, timeout_s: float = 20) -> Compiled | TexFailure:
    return compile_tex(text, engines=(engine,), timeout_s=timeout_s, marks=False)


def said(result: Compiled | TexFailure) -> str:
    """All that comes back of a run."""
    if isinstance(result, TexFailure):
        return result.log + result.message
    return result.pdf.decode("latin-1") + result.marks


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    path = tmp_path / "secret.txt"
    path.write_text(f"{CANARY}\n")
    return path


@pytest.fixture
def secret_pdf(tmp_path: Path) -> Path:
    result = compile_tex("\\tikz\\draw(0,0)--(1,1);", marks=False)
    assert isinstance(result, Compiled)
    path = tmp_path / "secret.pdf"
    path.write_bytes(result.pdf)
    return path


def test_pdftex_cannot_put_an_outside_file_into_the_pdf(secret: Path) -> None:
    body = f"\\pdfcompresslevel=0 \\immediate\\pdfobj stream file {{{secret}}}\\pdfrefobj\\pdflastobj"
    result = attack(document(body), "pdflatex")
    assert not result.ok
    assert CANARY not in said(result)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("outside", ["absolute", "relative"])
def test_no_engine_includes_an_outside_pdf(engine: Engine, outside: str, secret_pdf: Path) -> None:
    name = str(secret_pdf) if outside == "absolute" else os.path.relpath(secret_pdf, "/job")
    result = attack(document(f"\\includegraphics{{{name}}}", preamble="\\usepackage{graphicx}"), engine)
    assert isinstance(result, TexFailure)
    assert result.kind == "missing_file"


def test_xetex_primitives_cannot_include_an_outside_pdf(secret_pdf: Path) -> None:
    assert not attack(document(f'\\XeTeXpdffile "{secret_pdf}"'), "xelatex").ok


@pytest.mark.parametrize("engine", ENGINES)
def test_openin_reads_nothing_outside(engine: Engine, secret: Path) -> None:
    names = [
        str(secret),
        os.path.relpath(secret, "/job"),
        "/etc/passwd",
        "../../etc/passwd",
        "/proc/self/environ",
    ]
    opened = "\\openin\\r={{{name}}} \\ifeof\\r no\\else\\typeout{{\\a KED {name}}}\\fi\\closein\\r"
    body = "\n".join(opened.format(name=name) for name in ["doc.tex", *names])
    result = attack(document("\\def\\a{LEA}\\newread\\r" + body + "\\undefinedhere"), engine)
    assert isinstance(result, TexFailure)
    assert re.findall(r"LEAKED (\S+)", result.log) == ["doc.tex"]


@pytest.mark.parametrize("engine", ENGINES)
def test_shell_escape_runs_nothing(engine: Engine) -> None:
    result = attack(document("\\immediate\\write18{touch ran.tex}\\IfFileExists{ran.tex}{\\ran}{}"), engine)
    if engine == "lualatex":  # has no \write18; it prints to the log
        result = attack(
            lua("assert(not os.execute('touch ran.tex')); assert(not io.open('ran.tex'))"), engine
        )
    assert result.ok, result


def test_lua_reads_writes_and_removes_nothing_outside(secret: Path, tmp_path: Path) -> None:
    code = f"""
        local tries = {{
            io.open('{secret}'), io.open('/etc/passwd'), io.open('/root/.bashrc'), io.open('/proc/1/environ'),
            io.open('{tmp_path}/new', 'w'), io.open('/new', 'w'), io.open('/dev/shm/new', 'w'),
            io.open('/tmp/new', 'w'),
            io.open('/usr/new', 'w'), io.open('/var/lib/texmf/new', 'w'), os.remove('{secret}'),
            os.rename('doc.tex', '{tmp_path}/doc.tex'), lfs.mkdir('{tmp_path}/folder'),
        }}
        for number = 1, 13 do if tries[number] then texio.write_nl('LEAKED ' .. number) end end
        error('done')"""
    result = attack(lua(code), "lualatex")
    assert isinstance(result, TexFailure)
    assert "done" in result.log and "LEAKED" not in result.log
    assert sorted(path.name for path in tmp_path.iterdir()) == ["secret.txt"]


def test_lua_starts_no_program_and_loads_no_foreign_code() -> None:
    code = """
        if os.execute('true') then error('LEAKED execute') end
        if io.popen and pcall(function() return io.popen('true'):read() or error() end) then error('LEAKED popen') end
        if os.spawn and os.spawn('true') == 0 then error('LEAKED spawn') end
        if pcall(function() require('ffi').C.getpid() end) then error('LEAKED ffi') end"""
    result = attack(lua(code), "lualatex")
    assert result.ok, result


def test_nothing_inside_reaches_a_listener_outside(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.5)
        port = server.getsockname()[1]
        code = f"""local known = socket or package.loaded.socket
            if known then error('CONNECTED ' .. tostring(known.connect('127.0.0.1', {port}))) end"""
        assert "CONNECTED tcp" not in said(attack(lua(code), "lualatex"))
        connect = f"exec 3<>/dev/tcp/127.0.0.1/{port}"
        finished = run_limited(
            ["bash", "-c", connect],
            folder=tmp_path,
            environment={"PATH": "/usr/bin"},
            limits=Limits(wall_s=5),
        )
        assert finished.exit_code == 1 and "refused" in finished.output
        with pytest.raises(TimeoutError):
            server.accept()
        subprocess.run(["bash", "-c", connect], check=True)  # outside, the same words reach it
        server.accept()[0].close()


def test_a_link_made_inside_is_not_followed_outside(secret: Path) -> None:
    code = f"""
        os.remove('doc.aux')
        for _, name in ipairs{{'doc.pdf', 'doc.toc', 'doc.out'}} do lfs.link('{secret}', name, true) end
        texio.write_nl('LINKED ' .. tostring(lfs.symlinkattributes('doc.toc', 'mode')))"""
    result = attack(lua(code), "lualatex")
    assert CANARY not in said(result)
    assert secret.read_text() == f"{CANARY}\n"


def test_the_shared_font_caches_cannot_be_written() -> None:
    code = """
        local found = 0
        for number = 0, 4 do
            local folder = '/shared/' .. number
            if lfs.isdir(folder) then found = found + 1 end
            if io.open(folder .. '/luatex-cache/generic/names/new', 'w') then error('LEAKED') end
        end
        texio.write_nl('CACHES ' .. found) error('done')"""
    result = attack(lua(code), "lualatex")
    assert isinstance(result, TexFailure)
    assert "LEAKED" not in result.log and "CACHES" in result.log


@pytest.mark.parametrize("engine", ENGINES)
def test_a_loop_without_end_is_killed_and_leaves_no_process(engine: Engine) -> None:
    text = document(f"\\def\\x{{\\x}}\\x % {engine}")
    started = time.monotonic()
    result = attack(text, engine, timeout_s=2)
    assert isinstance(result, TexFailure)
    assert result.kind == "timeout"
    assert time.monotonic() - started < 4
    source = read_source(text)
    assert isinstance(source, Document)
    eventually(lambda: not processes(make_nonce(source.text)))  # the command line holds it


@pytest.mark.parametrize("engine", ENGINES)
def test_a_disk_fill_ends_as_a_resource_limit(engine: Engine) -> None:
    rows = "\\edef\\r{\\r\\r}" * 17  # 131,072 letters
    loop = "\\newwrite\\w\\immediate\\openout\\w=big.txt \\def\\x{\\immediate\\write\\w{\\r}\\x}\\x"
    body = f"\\def\\r{{x}}{rows}{loop}"
    result = attack(document(body), engine)
    assert isinstance(result, TexFailure)
    assert result.kind == "resource_limit", result.message


def test_many_small_files_end_as_a_resource_limit() -> None:
    code = "for n = 1, 1e7 do local f = io.open('f' .. n, 'w'); f:write(string.rep('x', 1000)); f:close() end"
    result = attack(lua(code), "lualatex")
    assert isinstance(result, TexFailure)
    assert result.kind == "resource_limit"
    assert not list(Path(os.environ.get("TMPDIR", "/tmp")).glob("diagrammar-tex-*/f1"))


def test_a_memory_blow_up_ends_as_a_resource_limit() -> None:
    code = "local t = {} while true do t[#t + 1] = string.rep(string.rep('x', 1000000), 1900 + #t) end"
    result = attack(lua(code), "lualatex")
    assert isinstance(result, TexFailure)
    assert result.kind == "resource_limit", result.message


def test_children_that_outlive_their_parent_are_killed(tmp_path: Path) -> None:
    script = "i=0; while [ $i -lt 200 ]; do setsid sleep 98765 & i=$((i+1)); done; echo started"
    finished = run_limited(
        ["sh", "-c", script],
        folder=tmp_path,
        environment={"PATH": "/usr/bin"},
        limits=Limits(wall_s=3, processes=40),
    )
    assert finished.stopped == "" or finished.stopped == "timeout"
    eventually(lambda: not processes("98765"))


def test_without_isolation_a_document_is_refused_unless_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    import diagrammar.tex.engine

    monkeypatch.setattr(diagrammar.tex.engine, "bubblewrap_problem", lambda: "bwrap is not on PATH")
    monkeypatch.setenv("DIAGRAMMAR_TRUST", "1")
    refused = compile_tex("\\tikz\\draw(0,0)--(1,1);")
    assert isinstance(refused, TexFailure)
    assert refused.kind == "isolation_required" and "--trust" in refused.hint
    trusted = compile_tex("\\tikz\\draw(0,0)--(1,1);", trust=True)
    assert isinstance(trusted, Compiled)
    assert trusted.isolation == "none"


def processes(word: str) -> set[str]:
    """The ids of running processes that have `word` in their command line."""
    found = set()
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit() and int(folder.name) != os.getpid():
            try:
                if word in (folder / "cmdline").read_text(errors="replace"):
                    found.add(folder.name)
            except (FileNotFoundError, ProcessLookupError):
                continue
    return found


def eventually(condition: object, *, within_s: float = 3) -> None:
    assert callable(condition)
    end = time.monotonic() + within_s
    while not condition():
        assert time.monotonic() < end, "it did not come true"
        time.sleep(0.05)
