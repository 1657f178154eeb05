"""tex, step 3: a document and its failure -> the document with the one change that this failure calls for.

Each repair is one function; each says in words what it changed. None guesses at what the author meant to draw.
Source: Diagram-MMU, appendix C.1. Differs: nothing is changed before TeX has failed.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from diagrammar.tex.colors import color_option
from diagrammar.tex.document import BEGIN_DOCUMENT, Document, without_comments
from diagrammar.tex.failures import WRONG_DRIVERS, Reading
from diagrammar.tex.loading import (
    USEPACKAGE,
    arrow_library,
    library_asked_for,
    library_of_key,
    library_of_the_other,
    package_of_key,
    package_of_name,
    positioning_library,
)

Repair = Callable[[Document, Reading], Document | None]

COMPAT = re.compile(r"Sorry, 'compat=(?P<asked>[^']+)' is unknown.*at most 'compat=(?P<newest>[^']+)'")
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
    options = list(
        dict.fromkeys(option.strip() for group in given for option in group.split(",") if option.strip())
    )
    if not options:
        return None

    def without_options(text: str) -> str:
        return pattern.sub(lambda found: f"\\{found['command']}{{{found['names']}}}", text)

    passed = rf"\PassOptionsToPackage{{{','.join(options)}}}{{{package}}}"
    moved = document.with_each_line(without_options).with_first([passed])
    return moved.noted(
        f"gave {package} its options ({', '.join(options)}) before the class, since it was loaded twice"
    )


def compat_capped(document: Document, failure: Reading) -> Document | None:
    """A pgfplots compatibility level above the installed one: the installed one."""
    said = COMPAT.search(failure.message)
    if said is None:
        return None
    asked, newest = said["asked"], said["newest"]
    pattern = re.compile(rf"(\bcompat\s*=\s*){re.escape(asked)}(?![\d.])")
    lowered = document.with_each_line(lambda text: pattern.sub(lambda found: found[1] + newest, text))
    return lowered.noted(f"lowered pgfplots' compat from {asked} to the installed {newest}")


def color_names(document: Document, failure: Reading) -> Document | None:
    """An undefined colour that xcolor knows under one of its options: that option."""
    name = failure.culprit.rsplit("/", 1)[-1].split("!")[0]
    option = color_option(name)
    if option is None or re.search(
        rf"PassOptionsToPackage\{{[^}}]*\b{option}\b[^}}]*\}}\{{xcolor\}}", document.text
    ):
        return None
    added = document.with_first([rf"\PassOptionsToPackage{{{option}}}{{xcolor}}"])
    return added.noted(f"gave xcolor the option {option}, which defines the colour {name}")


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


def pictures_in_place(document: Document, failure: Reading) -> Document | None:
    """\\tikzexternalize, which needs to run programs: every picture drawn where it stands."""
    if not re.search(r"result in a usable output file|I can't write on file", failure.message):
        return None
    pattern = re.compile(r"\\tikzexternalize\s*(?:\[[^\]]*\])?")
    dropped = document.with_each_line(lambda text: pattern.sub("", text))
    return dropped.noted(
        "dropped \\tikzexternalize, which needs to run programs: pictures are drawn in place"
    )


def our_driver(document: Document, failure: Reading) -> Document | None:
    """A driver asked for that does not make what is made here: none, so that ours is taken."""
    wrong = next((output for output, name in WRONG_DRIVERS.items() if name.search(failure.message)), None)
    if wrong is None:
        return None
    names = "dvips|dvisvgm|dvipdfmx?|xdvi" if wrong == "pdf" else "dvips|dvipdfmx?|xdvi|pdftex|luatex|xetex"
    option = re.compile(rf"(\\(?:documentclass|usepackage)\s*\[[^\]]*?)\b(?:{names})\b\s*,?")
    forced = re.compile(r"\\def\\pgfsysdriver\s*\{[^}]*\}")
    changed = document.with_each_line(lambda text: forced.sub("", option.sub(r"\1", text)))
    return changed.noted(
        "dropped the driver for DVI that the document asks for" if wrong == "pdf" else
        "dropped the driver that the document asks for"
    )  # fmt: skip


def rgb_instead_of_cmyk(document: Document, failure: Reading) -> Document | None:
    """Fadings under xcolor's cmyk model, which leave a colour command undefined: rgb."""
    if "cmyk" not in document.code or "fading" not in document.code:
        return None
    if not re.search(r"cmyk|pgf@fading|\\color@|XC@", f"{failure.message} {failure.culprit}"):
        return None
    pattern = re.compile(r"(\\(?:usepackage|PassOptionsToPackage|documentclass)\s*[\[{][^\]}]*)\bcmyk\b")
    changed = document.with_each_line(lambda text: pattern.sub(r"\1rgb", text))
    return changed.noted("changed xcolor's option cmyk to rgb, since fadings fail with it")


REPAIRS: dict[str, tuple[Repair, ...]] = {
    "option_clash": (our_driver, options_before_class),
    "tex_error": (pictures_in_place,),
    "package_error": (compat_capped, library_asked_for, pictures_in_place, rgb_instead_of_cmyk),
    "missing_library": (arrow_library, library_asked_for, library_of_the_other),
    "unknown_key": (color_names, library_of_key, package_of_key),
    "unknown_shape": (library_of_key,),
    "undefined_color": (color_names,),
    "syntax": (positioning_library, library_asked_for, packages_moved_up),
    "undefined_environment": (package_of_name,),
    "undefined_command": (old_tkz_objects, rgb_instead_of_cmyk, package_of_name),
}
