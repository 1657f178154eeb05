"""Writes a Posts.xml of any size in the form of a Stack Exchange dump: `python make_dump.py POSTS.xml MEGABYTES`.

Of its rows about one in eleven is an accepted answer with a picture; all pictures differ.
"""

from __future__ import annotations

import sys
from html import escape
from pathlib import Path

WORDS = (
    "the value of every length in a document can be changed where it is set and not where it is used so that "
)


def write_dump(path: Path, megabytes: float) -> int:
    """Writes the dump and returns how many accepted answers with a picture it has."""
    pictures = number = 0
    prose = escape("<p>" + WORDS * 12 + "</p>")
    with path.open("w", encoding="utf-8") as file:
        file.write('<?xml version="1.0" encoding="utf-8"?>\n<posts>\n')
        while file.tell() < megabytes * 1e6:
            number += 1
            draws = number % 5 == 0
            question, answer, other = 3 * number, 3 * number + 1, 3 * number + 2
            file.write(
                f'  <row Id="{question}" PostTypeId="1" AcceptedAnswerId="{answer}" CreationDate="2015-01-01T00:00:00" '
                f'Score="1" Body="{prose}" OwnerUserId="{number % 9000}" Title="Question {number}" '
                f'Tags="{escape("<tikz-pgf>") if draws else escape("<tables>")}" ContentLicense="CC BY-SA 3.0" />\n'
            )
            code = picture(number) if draws else "\\begin{tabular}{ll}\na & b\n\\end{tabular}"
            body = (
                escape(f"<p>{WORDS}</p><pre><code>{escape(code, quote=False)}</code></pre>").replace(
                    "\n", "&#xA;"
                )
                + prose
            )
            file.write(
                f'  <row Id="{answer}" PostTypeId="2" ParentId="{question}" CreationDate="2015-01-02T00:00:00" '
                f'Score="{number % 7}" Body="{body}" OwnerUserId="{number % 800}" ContentLicense="CC BY-SA 3.0" />\n'
            )
            if number % 5 < 1:
                file.write(
                    f'  <row Id="{other}" PostTypeId="2" ParentId="{question}" Score="{number % 11}" '
                    f'CreationDate="2016-01-02T00:00:00" Body="{body}" OwnerUserId="5" />\n'
                )
            pictures += draws
        file.write("</posts>\n")
    return pictures


def picture(number: int) -> str:
    nodes = "\n".join(
        f"  \\node[draw, box] (n{k}) at ({k}, {(number * k) % 7}) {{{number} {k}}};" for k in range(8)
    )
    return (
        "\\documentclass{article}\n\\usepackage{tikz}\n\\usetikzlibrary{calc}\n\\tikzset{box/.style={fill=blue!10}}\n"
        f"\\begin{{document}}\n\\begin{{tikzpicture}}\n{nodes}\n  \\draw (n0) -- (n7);\n\\end{{tikzpicture}}\n"
        "\\end{document}\n"
    )


if __name__ == "__main__":
    print(write_dump(Path(sys.argv[1]), float(sys.argv[2])))
