"""tex, step 3: a document and its failure -> the document with the one change that this failure calls for.

Each repair is one function; each says in words what it changed. None guesses at what the author meant to draw.
Source: Diagram-MMU, appendix C.1. Differs: nothing is changed before TeX has failed.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from diagrammar.tex.colors import color_option
from diagrammar.tex.document import BEGIN_DOCUMENT, Document, without_comments
from diagrammar.tex.failures import Reading
from diagrammar.tex.installed import is_installed, library_defining
from diagrammar.tex.needs import Needs, libraries_of_key, needs_of, package_of_command, package_of_environment

Repair = Callable[[Document, Reading], Document | None]

USEPACKAGE = (
    r"\\(?:usepackage|RequirePackage)\s*(?:\[(?P<options>(?:[^\[\]{{}}]|\{{[^{{}}]*\}})*)\])?"
    r"\s*\{{(?P<names>[^}}]*\b{name}\b[^}}]*)\}}"
)
COMPAT = re.compile(r"Sorry, 'compat=(?P<asked>[^']+)' is unknown.*at most 'compat=(?P<newest>[^']+)'")
ASKS_FOR_LIBRARY = re.compile(
    r"[Yy]ou need to (?:say|load|use)[^{}]*\\use(?P<owner>tikz|pgfplots)library\s*\{(?P<library>[\w., ]+)\}"
)
PREAMBLE_COMMAND = re.compile(r"\\(?:usepackage|RequirePackage)\s*(?:\[[^\]]*\])?\s*\{[^}]*\}")


def repair(document: Document, failure: Reading) -> Document | None:
    """The repaired document, with a note in words; None where no repair is known."""
    for attempt in REPAIRS.get(failure.kind, ()):
        repaired = attempt(document, failure)
        if repaired is not None and repaired.lines != document.lines:
            return repaired
    return None


def options_before_class(document: Document, failure: Reading) -> Document | None:
    """An option clash: the package's options from every place, given once before the class."""
    package = failure.culprit
    pattern = re.compile(USEPACKAGE.format(name=re.escape(package)))
    given = [found["options"] for found in pattern.finditer(document.code) if found["options"]]
    options = list(dict.fromkeys(option.strip() for group in given for option in group.split(",") if option.strip()))
    if not options:
        return None

    def without_options(text: str) -> str:
        return pattern.sub(lambda found: f"\\usepackage{{{found['names']}}}", text)

    passed = rf"\PassOptionsToPackage{{{','.join(options)}}}{{{package}}}"
    moved = document.with_each_line(without_options).with_first([passed])
    return moved.noted(f"gave {package} its options ({', '.join(options)}) before the class, since it was loaded twice")


def compat_capped(document: Document, failure: Reading) -> Document | None:
    """A pgfplots compatibility level above the installed one: the installed one."""
    said = COMPAT.search(failure.message)
    if said is None:
        return None
    asked, newest = said["asked"], said["newest"]
    pattern = re.compile(rf"(\bcompat\s*=\s*){re.escape(asked)}(?![\d.])")
    lowered = document.with_each_line(lambda text: pattern.sub(lambda found: found[1] + newest, text))
    return lowered.noted(f"lowered pgfplots' compat from {asked} to the installed {newest}")


def library_asked_for(document: Document, failure: Reading) -> Document | None:
    """TikZ or pgfplots says which library to load."""
    said = ASKS_FOR_LIBRARY.search(failure.message)
    if said is not None and said["owner"] == "pgfplots":
        return _with_plot_libraries(document, said["library"])
    if said is not None:
        return _with_libraries(document, said["library"])
    if "load a decoration library" in failure.message:
        return _with_decorations(document)
    return None


def library_of_key(document: Document, failure: Reading) -> Document | None:
    """An unknown key, shape, decoration or pattern: the library that defines it."""
    name = failure.culprit
    if name.rsplit("/", 1)[-1].startswith('"'):
        return _with_libraries(document, "quotes")
    if name.startswith("/pgf/decoration/"):
        return _with_decorations(document)
    for library in (*libraries_of_key(name), *library_defining(name.rsplit("/", 1)[-1])):
        repaired = _with_libraries(document, library)
        if repaired is not None:
            return repaired
    return None


def library_of_the_other(document: Document, failure: Reading) -> Document | None:
    """A pgfplots library asked of TikZ, or the other way round: asked of the one that has it."""
    name = failure.culprit
    for command, other, files in (
        ("usetikzlibrary", "usepgfplotslibrary", (f"tikzlibrarypgfplots.{name}", f"pgflibrarypgfplots.{name}")),
        ("usepgfplotslibrary", "usetikzlibrary", (f"tikzlibrary{name}", f"pgflibrary{name}")),
    ):  # fmt: skip
        listed = re.compile(rf"(\\{command}\s*\{{[^}}]*?)(?<![\w.]){re.escape(name)}(?![\w.])\s*,?")
        if not listed.search(document.code) or not any(is_installed(f"{file}.code.tex") for file in files):
            continue
        dropped = document.with_each_line(partial(listed.sub, r"\1"))
        return dropped.with_last_in_preamble([rf"\{other}{{{name}}}"]).noted(
            f"loaded the library {name} by \\{other} instead of \\{command}"
        )
    return None


def arrow_library(document: Document, failure: Reading) -> Document | None:
    """An unknown arrow tip: arrows.meta, and the older arrows where that is loaded already."""
    if not failure.message.startswith("Package pgf Error: Unknown arrow tip"):
        return None
    return _with_libraries(document, "arrows.meta") or _with_libraries(document, "arrows")


def positioning_library(document: Document, failure: Reading) -> Document | None:
    """`right=of a` read as a formula: the library positioning."""
    return _with_libraries(document, "positioning") if failure.culprit in ("o", "of") else None


def color_names(document: Document, failure: Reading) -> Document | None:
    """An undefined colour that xcolor knows under one of its options: that option."""
    name = failure.culprit.rsplit("/", 1)[-1].split("!")[0]
    option = color_option(name)
    if option is None or re.search(rf"PassOptionsToPackage\{{[^}}]*\b{option}\b[^}}]*\}}\{{xcolor\}}", document.text):
        return None
    added = document.with_first([rf"\PassOptionsToPackage{{{option}}}{{xcolor}}"])
    return added.noted(f"gave xcolor the option {option}, which defines the colour {name}")


def package_of_name(document: Document, failure: Reading) -> Document | None:
    """An undefined environment or command: the package that defines it."""
    if failure.kind == "undefined_environment":
        package = package_of_environment(failure.culprit)
    else:
        package = package_of_command(failure.culprit.removeprefix("\\"))
    if package is None or not is_installed(f"{package}.sty"):
        return None
    if re.search(USEPACKAGE.format(name=re.escape(package)), document.code):
        return _with_plot_libraries(document, *needs_of(document.code).pgfplots)
    lines = Needs(packages=(package,)).lines()
    return document.with_last_in_preamble(lines).noted(f"loaded the package {package}, which defines {failure.culprit}")


def package_of_key(document: Document, failure: Reading) -> Document | None:
    """A component in a tikzpicture (`to[R=...]`): the package whose key it is."""
    loaded = re.search(USEPACKAGE.format(name="circuitikz"), document.code)
    if loaded or "circuitikz" not in needs_of(document.code).packages or failure.culprit.count("/") != 2:
        return None
    added = document.with_last_in_preamble([r"\usepackage{circuitikz}"])
    return added.noted(f"loaded the package circuitikz, which defines {failure.culprit.rsplit('/', 1)[-1]}")


def old_tkz_objects(document: Document, failure: Reading) -> Document | None:
    """tkz-euclide 2/3 syntax: \\usetkzobj, which newer versions do without."""
    if failure.culprit not in (r"\usetkzobj", r"\usetkztool"):
        return None
    pattern = re.compile(r"\\usetkz(?:obj|tool)\s*\{[^}]*\}")
    dropped = document.with_each_line(lambda text: pattern.sub("", text))
    return dropped.noted(f"dropped {failure.culprit}: tkz-euclide 2/3 syntax, not needed since version 3.02")


def packages_moved_up(document: Document, failure: Reading) -> Document | None:
    """\\usepackage below \\begin{document}: moved into the preamble."""
    if "Can be used only in preamble" not in failure.message:
        return None
    begins = (BEGIN_DOCUMENT.search(without_comments(line.text)) is not None for line in document.lines)
    begin = next((index for index, begun in enumerate(begins) if begun), None)
    if begin is None:
        return None
    moved: list[str] = []
    below = Document(document.lines[begin:])

    def take(text: str) -> str:
        moved.extend(found[0] for found in PREAMBLE_COMMAND.finditer(text))
        return PREAMBLE_COMMAND.sub("", text)

    rest = below.with_each_line(take)
    whole = replace(document, lines=(*document.lines[:begin], *rest.lines)).with_last_in_preamble(moved)
    return whole.noted(f"moved into the preamble: {', '.join(moved)}")


def rgb_instead_of_cmyk(document: Document, failure: Reading) -> Document | None:
    """Fadings under xcolor's cmyk model, which leave a colour command undefined: rgb."""
    if "cmyk" not in document.code or "fading" not in document.code:
        return None
    if not re.search(r"cmyk|pgf@fading|\\color@|XC@", f"{failure.message} {failure.culprit}"):
        return None
    pattern = re.compile(r"(\\(?:usepackage|PassOptionsToPackage|documentclass)\s*[\[{][^\]}]*)\bcmyk\b")
    changed = document.with_each_line(lambda text: pattern.sub(r"\1rgb", text))
    return changed.noted("changed xcolor's option cmyk to rgb, since fadings fail with it")


def _with_libraries(document: Document, *libraries: str) -> Document | None:
    """The document with those libraries that it does not load yet; None where there is none."""
    code = document.code
    loaded = {
        name.strip() for found in re.finditer(r"\\usetikzlibrary\s*\{([^}]*)\}", code) for name in found[1].split(",")
    }
    new = [name for name in libraries if name not in loaded]
    if not new:
        return None
    has_tikz = re.search(r"\{[^}]*\b(?:tikz|pgfplots|circuitikz|tkz-\w+|chemfig|forest)\b[^}]*\}", code)
    packages = () if has_tikz else ("tikz",)
    lines = Needs(packages=packages, tikz=tuple(new)).lines()
    said = "library" if len(new) == 1 else "libraries"
    return document.with_last_in_preamble(lines).noted(f"loaded the TikZ {said} {', '.join(new)}")


def _with_decorations(document: Document) -> Document | None:
    """The document with the libraries of all its decorations."""
    needed = needs_of(document.code).tikz
    return _with_libraries(document, *[name for name in needed if name.startswith("decorations.")])


def _with_plot_libraries(document: Document, *libraries: str) -> Document | None:
    code = document.code
    new = [
        name for name in libraries
        if not re.search(rf"\\usepgfplotslibrary\s*\{{[^}}]*\b{re.escape(name)}\b", code)
    ]  # fmt: skip
    if not new:
        return None
    added = document.with_last_in_preamble(Needs(pgfplots=tuple(new)).lines())
    return added.noted(f"loaded the pgfplots library {', '.join(new)}")


REPAIRS: dict[str, tuple[Repair, ...]] = {
    "option_clash": (options_before_class,),
    "package_error": (compat_capped, library_asked_for, rgb_instead_of_cmyk),
    "missing_library": (arrow_library, library_asked_for, library_of_the_other),
    "unknown_key": (color_names, library_of_key, package_of_key),
    "unknown_shape": (library_of_key,),
    "undefined_color": (color_names,),
    "syntax": (positioning_library, library_asked_for, packages_moved_up),
    "undefined_environment": (package_of_name,),
    "undefined_command": (old_tkz_objects, rgb_instead_of_cmyk, package_of_name),
}
