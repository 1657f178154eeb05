# make demo    build a small benchmark of real diagrams, run reference models on it, score them, write the report
# make test    all tests
# make check   lint, format, types, import rule
# make bench   speed and full-size audits (long)
# make crosscheck   picture metrics against torchmetrics, lpips and transformers on the same weights
# make setup   what the others call first: installs what is missing, a second when nothing is

SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help setup demo test check bench crosscheck

# More of pytest's options: make test ARGS="-k score"
ARGS ?=

help:
	@sed -n 's/^# make/make/p' Makefile

setup:
	@scripts/setup.sh

demo: setup
	@.venv/bin/diagrammar demo $(ARGS)

test: setup
	@.venv/bin/python -m pytest -n 2 --dist worksteal -q $(ARGS)

check:
	@scripts/setup.sh --python
	.venv/bin/ruff check
	.venv/bin/ruff format --check
	.venv/bin/mypy
	.venv/bin/lint-imports --no-cache

# Long: each takes from several minutes to an hour. Results are printed; work is kept under build/.
bench: setup
	.venv/bin/diagrammar collect manuals --out build/collected --limit 300
	.venv/bin/python benchmarks/compile_audit.py build/collected
	.venv/bin/python benchmarks/marks_audit.py
	.venv/bin/python benchmarks/speed.py
	.venv/bin/python benchmarks/readers_agree.py
	.venv/bin/python benchmarks/scoring_speed.py
	.venv/bin/python benchmarks/sensitivity.py

# An environment of its own, since it needs some GB of torch. ARGS=--skip-networks is shorter.
crosscheck: setup
	@test -x build/crosscheck/bin/python || .venv/bin/python -m venv build/crosscheck
	build/crosscheck/bin/python -m pip install -q -r scripts/crosscheck.txt
	PYTHONPATH=src build/crosscheck/bin/python scripts/crosscheck.py $(ARGS)
