# Everything a newcomer and CI need: `make demo`, `make test`. Both set up .venv on their own.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
# `make test WITHOUT=torch` installs no PyTorch, and leaves out the tests that need it.
WITHOUT ?=
export WITHOUT
# Which figures `make golden` compares: a is printed text, b takes minutes, c trains.
TIERS ?= ab
# Which operators `make operators` draws, and how many.
SEED ?= 1
COUNT ?= 600
# How many inputs of each kind `make fuzz` tries.
INPUTS ?= 100000

.DEFAULT_GOAL := help
.PHONY: help demo demo-web test test-all golden mutants operators fuzz nightly check docs bench bench-evaluator lock audit release clean

help: ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/' | expand -t 18

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "assize needs Python 3.11 or newer; run: make PYTHON=python3.11 ..."; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.demo: $(BIN)/python pyproject.toml requirements/demo.txt
	$(PIP) install -q --no-deps --require-hashes -r requirements/demo.txt
	$(PIP) install -q --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/.packages: $(BIN)/python pyproject.toml requirements/dev.txt
	$(PIP) install -q --no-deps --require-hashes -r requirements/dev.txt
	$(PIP) install -q --no-deps --no-build-isolation -e .
	@touch $@ $(VENV)/.demo $(VENV)/.web

# Without a GPU, PyTorch's build for the CPU (0.8 GB) where the package index has it: the usual one
# brings CUDA's libraries on Linux (4.6 GB).
$(VENV)/.torch: $(VENV)/.packages requirements/cpu.txt requirements/cuda.txt
	@if ! command -v nvidia-smi >/dev/null && \
		$(PIP) install -q --no-deps --require-hashes -r requirements/cpu.txt 2>/dev/null; then :; else \
		$(PIP) install -q --no-deps --require-hashes -r requirements/cuda.txt; fi
	@touch $@

$(VENV)/.dev: $(VENV)/.packages $(if $(filter torch,$(WITHOUT)),,$(VENV)/.torch)
	@touch $@

demo: $(VENV)/.demo ## score the example conversations offline and write demo.html
	$(BIN)/assize score examples/conversations.jsonl --out demo.jsonl --report demo.html

$(VENV)/.web: $(VENV)/.demo requirements/web.txt
	$(PIP) install -q --no-deps --require-hashes -r requirements/web.txt
	@touch $@

demo-web: $(VENV)/.web ## the web app on example data, at http://127.0.0.1:8700
	$(BIN)/assize web --project examples/web --open

# The tests start hundreds of processes: each would compile the package anew.
test test-all nightly: export PYTHONDONTWRITEBYTECODE =

test: $(VENV)/.dev ## tests and doctests that take seconds; WITHOUT=torch leaves out what needs PyTorch
	$(BIN)/python -m pytest -n auto --maxprocesses 4 --dist worksteal -m "not slow and not nightly"

test-all: test ## then the slow ones: kills and resumes, browsers, every page of the docs
	$(BIN)/python -m pytest -n auto --maxprocesses 4 --dist worksteal -m "slow and not nightly"

golden: $(VENV)/.dev ## hold every figure against the commit in golden/BASE; TIERS=abc trains networks too
	$(BIN)/python -m golden --tiers $(TIERS)

mutants: $(VENV)/.dev ## plant sixty faults, one at a time: a test must fail for each
	$(BIN)/python -m golden.mutants

operators: $(VENV)/.dev ## draw 600 operators of the calculations by SEED, change one at a time: how many die
	$(BIN)/python -m golden.operators --seed $(SEED) --count $(COUNT)

fuzz: $(VENV)/.dev ## 100,000 damaged inputs of each kind, each in a process of its own; kills and budgets
	@for kind in tests/fuzz/test_*.py; do \
		ASSIZE_FUZZ=$(INPUTS) $(BIN)/python -m pytest -s $$kind || exit 1; done
	$(BIN)/python -m pytest -m "" tests/running/test_max_cost.py tests/running/test_survival.py \
		tests/judging/test_survival.py tests/judging/test_shared_cache.py \
		tests/judging/test_batches.py tests/base/test_privacy.py tests/base/test_http_client.py tests/base/test_secrets.py

nightly: $(VENV)/.dev ## what takes minutes to hours: figures of the docs, long recoveries, ten times the examples
	$(BIN)/python -m pytest -m nightly
	HYPOTHESIS_PROFILE=nightly $(BIN)/python -m pytest -n auto --maxprocesses 4 -m hypothesis

check: $(VENV)/.dev ## style, types, import rules, names, docs
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest tests/test_structure.py
	$(BIN)/python -m scripts.dialect
	$(MAKE) docs

docs: $(VENV)/.dev ## build the documentation into site/
	$(BIN)/zensical build --strict

bench: $(VENV)/.dev ## every benchmark and simulation study; prints ratios
	@for script in benchmarks/*.py; do echo "== $$script"; $(BIN)/python $$script || exit 1; done
	$(BIN)/python -m scripts.default_evaluator --figures

bench-evaluator: $(VENV)/.dev ## how the shipped evaluator carries over to unseen corpora
	$(BIN)/python -m scripts.default_evaluator --figures

lock: $(VENV)/.dev ## write requirements/*.txt and docs/licences.md from pyproject.toml; ARGS=--upgrade takes newer versions
	$(BIN)/python -m scripts.dependencies.lock $(ARGS)
	$(PIP) install -q --no-deps --require-hashes -r requirements/dev.txt
	$(BIN)/python -m scripts.dependencies.licences

audit: $(VENV)/.dev ## hold lock, licences, environment and wheel together; needs no connection
	$(BIN)/python -m scripts.dependencies.audit

release: $(VENV)/.dev ## wheel, source archive and bill of materials in dist/
	$(BIN)/python -m hatchling build
	$(BIN)/python -m scripts.dependencies.bill

clean: ## remove what was built, but not .venv
	rm -rf site build dist demo.html demo.jsonl demo.questions.json
