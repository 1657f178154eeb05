"""The balanced draw is a pure function of diagrams, number and seed."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from diagrammar.corpus.draw import draw_balanced, looks_like_a_diagram, quotas
from diagrammar.records.diagrams import DOMAINS, Diagram, Domain, Source

BODY = "\\begin{tikzpicture}\n\\draw (0,0) -- (1,0);\n\\draw (0,0) -- (1,2) node {a};\n\\end{tikzpicture}"
SOURCE = Source(url="x.tex", licence="unknown", sha256="0" * 64)


def diagram(name: str, domain: Domain, body: str = BODY) -> Diagram:
    code = f"\\documentclass[tikz]{{standalone}}\n\\begin{{document}}\n{body}\n\\end{{document}}\n"
    return Diagram(id=name, code=code, domain=domain, source=SOURCE)


POOL = [diagram(f"{domain}-{number}", domain) for domain in DOMAINS for number in range(20)]


def test_a_draw_is_even_over_the_domains() -> None:
    assert set(Counter(d.domain for d in draw_balanced(POOL, 60, seed=1)).values()) == {10}


def test_the_order_of_the_pool_does_not_matter_and_the_seed_does() -> None:
    assert draw_balanced(POOL[::-1], 30, seed=1) == draw_balanced(POOL, 30, seed=1)
    assert draw_balanced(POOL, 30, seed=2) != draw_balanced(POOL, 30, seed=1)


def test_a_smaller_draw_is_part_of_a_larger_one() -> None:
    small, large = draw_balanced(POOL, 12, seed=5), draw_balanced(POOL, 60, seed=5)
    assert {d.id for d in small} <= {d.id for d in large}


def test_a_domain_that_runs_short_leaves_its_share_to_the_others() -> None:
    pool = [d for d in POOL if d.domain != "circuit"] + [diagram("only", "circuit")]
    count = Counter(d.domain for d in draw_balanced(pool, 31, seed=0))
    assert count == {"circuit": 1, **{domain: 6 for domain in DOMAINS if domain != "circuit"}}


def test_what_looks_like_a_diagram_comes_first_and_the_rest_is_not_lost() -> None:
    dull = [diagram(f"dull-{n}", "graph", "\\tikz \\draw (0,0);") for n in range(5)]
    good = diagram("good", "graph")
    drawn = draw_balanced([*dull, good], 6, seed=3)
    assert drawn[0] == good
    assert len(drawn) == 6
    assert looks_like_a_diagram(good) and not looks_like_a_diagram(dull[0])


@given(st.lists(st.integers(0, 30), min_size=6, max_size=6), st.integers(0, 200))
def test_shares_add_up_and_differ_by_at_most_one_where_they_can(available: list[int], n: int) -> None:
    share = quotas(dict(zip(DOMAINS, available, strict=True)), n)
    assert sum(share.values()) == min(n, sum(available))
    short_of_all = [share[d] for d, have in zip(DOMAINS, available, strict=True) if share[d] < have]
    assert not short_of_all or max(share.values()) - min(short_of_all) <= 1
