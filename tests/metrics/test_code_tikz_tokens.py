import json
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diagrammar.metrics.protocol import load_metrics
from diagrammar.metrics.tikz_tokens import tikz_tokens, without_comments
from diagrammar.records.scenes import Scene
from diagrammar.records.scores import Case, Side

REAL = [
    json.loads(line)["truth"]
    for line in (Path(__file__).parent / "code_goldens.jsonl").read_text(encoding="utf-8").splitlines()
]


@pytest.mark.parametrize(
    ("code", "tokens"),
    [
        ("[fill=red!20, draw=blue]", "[ fill = red ! 20 , draw = blue ]"),
        ("(0,0) -- (1,1);", "( 0 , 0 ) -- ( 1 , 1 ) ;"),
        (r"\draw(0,0)--(1,1);", r"\draw ( 0 , 0 ) -- ( 1 , 1 ) ;"),
        ("(a) |- (b) -| (c)", "( a ) |- ( b ) -| ( c )"),
        (".. controls +(30:1cm) and ++(-1,.5) ..", ".. controls + ( 30 : 1cm ) and ++ ( - 1 , .5 ) .."),
        ("(1,2)..controls(3,4.)..(5,6)", "( 1 , 2 ) .. controls ( 3 , 4. ) .. ( 5 , 6 )"),
        ("[->, >=stealth, <->]", "[ -> , > = stealth , <-> ]"),
        ("line width=1.5 pt", "line width = 1.5pt"),
        ("2in 2inner 2 pta", "2in 2 inner 2 pta"),
        ("(node1.north east)", "( node1 . north east )"),
        ("{1e-3 2.5E+4}", "{ 1e-3 2.5E+4 }"),
        (r"{Größe in $x_1^2$}", "{ Größe in $ x _ 1 ^ 2 $ }"),
        (r"#1 ##2 \foo{#3}", r"#1 ##2 \foo { #3 }"),
        (r"a\\[2pt]b \% \{", r"a \\ [ 2pt ] b \% \{"),
        ("a % all of this\nb", "a b"),
        (r"50\% of % this", r"50 \% of"),
        (r"\draw*[red]", r"\draw * [ red ]"),
    ],
)
def test_code_falls_into_its_parts(code, tokens):
    assert list(tikz_tokens(code)) == tokens.split(" ")


def test_a_control_space_is_a_token_however_it_is_written():
    assert tikz_tokens("a\\ b") == tikz_tokens("a\\\nb") == ("a", "\\ ", "b")


def test_nothing_is_lost_but_white_space_and_comments():
    code = "".join(REAL)
    assert "".join("".join(tikz_tokens(code)).split()) == "".join(without_comments(code).split())


def test_a_comment_goes_and_its_line_stays():
    assert without_comments("a % b\n  c\\% d%\n") == "a \n  c\\% d\n"


SPACED = ("[", "]", "(", ")", ",", "=", "!", ";", "{", "}", "--", "..", "|-", "-|", "++", ":")


@given(st.sampled_from(REAL), st.integers(0, 2**32))
@settings(max_examples=80, deadline=None)
def test_no_space_around_a_sign_changes_a_score(code, seed):
    random = Random(seed)
    other = ""
    for token in tikz_tokens(code):
        around = random.choice(("", " ", "\n  ")) if token in SPACED else " "
        other += around + token + (random.choice(("", " ", "\t")) if token in SPACED else " ")
    assert tikz_tokens(other) == tikz_tokens(code)
    sides = [Side(code=text, scene=Scene(size_pt=(0, 0), objects=())) for text in (code, other)]
    for name in ("crystalbleu_tikz", "ted"):
        metric = load_metrics()[name]
        assert metric.score(metric.compare(Case(*sides))) == metric.perfect


@given(st.text(alphabet="ab1 .-|+<>\\%#{}[](),;=!\n\t²ßΩ", max_size=40))
@settings(max_examples=300, deadline=None)
def test_any_text_falls_into_tokens_without_white_space(text):
    for token in tikz_tokens(text):
        assert token == "\\ " or (token and not any(character.isspace() for character in token))
