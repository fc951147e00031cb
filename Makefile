# 'make check' and 'make test' set everything up. They need only Python 3.11 or later and make.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# uv.lock names every package by version and digest, so nothing is resolved. uv makes a list of it and installs that, and
# pip installs uv. uv does not read pip.conf. If that file names your package index, use make INSTALLER=pip … If there is
# no wheel of a package for your system, use make BUILD=1 …
INSTALLER ?= uv
BUILD ?=
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
UV := $(BIN)/uv
LIST := $(UV) --quiet export --frozen --no-emit-project --no-header --no-annotate --no-default-groups
INSTALL := $(if $(filter uv,$(INSTALLER)),$(UV) --quiet pip install --python $(BIN)/python,$(PIP) install) --no-deps
PINNED := $(INSTALL) --require-hashes $(if $(BUILD),,--only-binary :all:)
NOTHING_MISSING := missing=$$($(BIN)/python -m pip check --disable-pip-version-check) || { echo "$$missing" >&2; exit 1; }
OR_SAY_HOW := || { echo "The packages could not be installed. 'make INSTALLER=pip …' uses pip and its settings instead of uv." >&2; exit 1; }
PYTEST := $(BIN)/python -m pytest -q --numprocesses auto --dist worksteal --durations 10
PYODIDE := conformance/pyodide/node_modules/.package-lock.json
# With Node and npm the site includes the interpreter for its table. Without them it is built all the same, and the table says so.
IF_NODE := $(if $(and $(shell command -v node),$(shell command -v npm)),$(PYODIDE))
AXE := tests/browser/node_modules/.package-lock.json

.PHONY: help check census preludes adequacy adequacy-code fuzz fuzzers fuzz-coverage engines test setup-test test-scenario faults workbench mutate-harness quick lint size types hooks site serve browser pictures pyodide spec-json schema protocol reference bench calls environments wheel release-dry-run lock oldest newest clean

help: ## list these commands
	@grep -hE '^[a-z -]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 15

check: $(VENV)/ready ## run the suite against the built-in reference
	@$(BIN)/hoyle check

# The example engines that play whole games, the time for each, the games of each ruleset, and the seed of the games.
ENGINES := $(wildcard workbench/adapters/python/*_*.py)
TIME ?= 60s
GAMES ?= 1000000
SEED ?= 1
KNOWN := tests/tools/games/known-differences.yaml

fuzz: $(VENV)/ready ## play random games on the example engines and on the reference: TIME=10m SEED=7
	@for engine in $(ENGINES); do \
	  HOYLE_NO_PROGRESS=1 $(BIN)/hoyle fuzz --games $(GAMES) --deadline $(TIME) --seed $(SEED) --known $(KNOWN) $(BIN)/python $$engine || exit 1; \
	done

fuzzers: $(VENV)/ready-test $(VENV)/ready-fuzz ## fuzz the readers of files, messages, requests and texts, on Linux: TIME=10m SEED=7
	@$(BIN)/python workbench/run_fuzzers.py run --time $(TIME) --seed $(SEED)

fuzz-coverage: $(VENV)/ready-test ## print the lines and branches that the fuzzers' inputs cover
	@$(BIN)/python workbench/run_fuzzers.py coverage

# The site's page of engines shows the run records in engines/: these, and any other that is put there.
RECORDS := $(patsubst %,engines/%.jsonl,tricks-in-python second-copy-wins last-trick-twenty)
engines: $(RECORDS) ## record runs of a few engines, some wrong on purpose, for the site's page of engines
engines/tricks-in-python.jsonl: RUN = conformance/adapters/python/tricks.py
engines/second-copy-wins.jsonl: RUN = tests/faulty_adapters/main.py second-identical-card-wins
engines/last-trick-twenty.jsonl: RUN = tests/faulty_adapters/main.py --cell score.last_trick.points=20
$(RECORDS): $(VENV)/ready
	@mkdir -p engines
	@HOYLE_NO_PROGRESS=1 $(BIN)/hoyle check -r bezique-hoyle --record $@ -- $(BIN)/python $(RUN) >/dev/null; test $$? -le 1

test: $(VENV)/ready-test ## run the tests
	@$(PYTEST) -m "interpreter and not slow" --cov --cov-fail-under=100
	@$(PYTEST) -m "slow or not interpreter"

setup-test: $(VENV)/ready-test ## test installing with old versions of pip, from the folder and from a wheel (downloads packages)
	@$(BIN)/python -m pytest tests/setup --no-cov -q --durations 10

test-scenario: $(VENV)/ready-test ## validate one scenario and run its tests: NAME=to-score.the-example
	@test -n '$(NAME)' || { echo "Name a scenario: make test-scenario NAME=to-score.the-example"; exit 2; }
	@$(BIN)/hoyle validate 'spec/scenarios/$(subst .,/,$(NAME)).scenario.yaml'
	@$(BIN)/python -m pytest -q tests/whole/test_one_scenario.py --scenario '$(NAME)'

# Of a command's calls, every EVERY-th fails, beginning with the SEED-th; WORDS="--command report --family read" selects some.
EVERY ?= 1

faults: $(VENV)/ready-test ## let each open, read, write, rename, fork and allocation of commands fail: EVERY=10 SEED=7
	@cd workbench && ../$(BIN)/python -m fault_injection --every $(EVERY) --seed $(SEED) $(WORDS)

workbench: $(VENV)/ready-test $(VENV)/ready-fuzz ## test the tools of the workbench, for minutes
	@$(PYTEST) --no-cov -p conftest workbench

mutate-harness: $(VENV)/ready-test ## change the harness one place at a time, and report changes that no test notices: WORDS="runner/judge.py --most 50"
	@$(BIN)/python workbench/mutate_harness.py $(WORDS)

quick: $(VENV)/ready-test ## run the fast tests
	@$(PYTEST) -m "not (slow or whole)"

hooks: ## check the subject of each commit that you make here
	@git config core.hooksPath .githooks

lint: $(VENV)/ready-lint ## check the code with ruff, and its layers with import-linter
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@PYTHONPATH=environments:workbench $(BIN)/lint-imports --no-cache >.lint-imports || { cat .lint-imports; rm .lint-imports; exit 1; }
	@rm .lint-imports

size: ## print how much code there is, part by part, and fail if a part is over its limit in .ci/limits.toml
	@$(PYTHON) .ci/size.py

types: $(VENV)/ready-lint $(VENV)/ready-test ## check the types with mypy
	@$(BIN)/mypy
	@for system in win32 darwin; do $(BIN)/mypy --platform $$system --cache-dir .mypy_cache/$$system \
	  -p hoyle_reference -p hoyle_conformance -p hoyle || exit 1; done

site: $(VENV)/ready-site $(IF_NODE) engines ## build the site into site/; with Node and npm, include the interpreter for its table
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "The site is in site/. Open site/index.html."

serve: $(VENV)/ready-site $(IF_NODE) ## serve the site at http://127.0.0.1:8000 while you write; each page is generated on request
	@$(BIN)/python conformance/serving.py

browser: $(VENV)/ready-browser $(AXE) site ## test the site in a real browser
	@$(BIN)/python -m pytest tests/browser --no-cov

pictures: $(VENV)/ready-browser ## take the documentation's screenshots again, in a real browser
	@cd tests/browser && PYTHONPATH=. ../../$(BIN)/python pictures.py

pyodide: $(VENV)/ready-test $(PYODIDE) ## test the interpreter and the table in Pyodide (needs Node and npm)
	@$(BIN)/python -m pytest tests/interpreter/test_pyodide.py tests/web/site/test_browser_bundle.py --no-cov

ADEQUACY := $(BIN)/python workbench/measure_adequacy.py

adequacy: $(VENV)/ready ## count the mutants that the suite notices, and the crossings: RULESETS="bezique-hoyle rubicon-hoyle" SEED=1
	@$(ADEQUACY) $(RULESETS)
	@$(ADEQUACY) --evidence $(RULESETS)
	@$(ADEQUACY) --silence $(RULESETS)
	@$(ADEQUACY) --crossings --seed $(SEED) $(RULESETS)

adequacy-code: $(VENV)/ready ## count the changes of the interpreter's code that the suite notices: MOST=200 SEED=1
	@$(ADEQUACY) --code $(if $(MOST),--most $(MOST) --seed $(SEED)) $(RULESETS)

census: $(VENV)/ready ## play the games of the census again, and write them into spec/census: RULESETS=bezique-hoyle
	@$(BIN)/python workbench/write_census.py $(RULESETS)

preludes: $(VENV)/ready ## find the preludes that are missing or out of date, and write them into spec/preludes: RULESETS=bezique-hoyle
	@cd workbench && ../$(BIN)/python -m preludes --write $(RULESETS)

# With CENSUS=1, the games of the census too, in full: they make the files several times as long.
spec-json: $(VENV)/ready ## write the rules and the checks as resolved data into spec-json/, for programs in any language
	@$(BIN)/python conformance/spec_json.py $(if $(CENSUS),--census) spec-json

schema: $(VENV)/ready ## generate the schema of positions from the fields of the interpreter's table
	@$(BIN)/python -c 'from protocol_pages import json_text; \
	from hoyle_reference.notation.positions import position_schema; print(json_text(position_schema()))' > spec/schemas/position.schema.json

protocol: $(VENV)/ready ## generate what spec/vocabulary, the schemas and the scenarios give: schemas, tables, lists, index, examples
	@$(BIN)/python conformance/protocol_pages.py

reference: $(VENV)/ready ## generate the reference page of the library from its docstrings
	@$(BIN)/python conformance/library_reference.py

bench: $(VENV)/ready ## measure speed, and compare each figure with its goal
	@$(MAKE) --no-print-directory $(VENV)/ready-bench || echo "The other libraries cannot be installed here. The rest is measured."
	@$(BIN)/python workbench/benchmarks/bench.py

# A commit of the history; by default, one that is a day older.
SINCE ?=

calls: $(VENV)/ready ## report rulesets whose decisions take more function calls than a day ago: SINCE=COMMIT
	@$(BIN)/python workbench/benchmarks/calls.py $(SINCE)

environments: $(VENV)/ready-test $(VENV)/ready-lint $(VENV)/ready-environments ## test the games for PettingZoo and OpenSpiel, for minutes
	@$(BIN)/mypy environments/hoyle_environments environments/benchmark.py
	@cd environments && ../$(PYTEST)

wheel: $(VENV)/ready-test ## build the wheel and its bill of materials into dist/
	@$(BIN)/python -m build --wheel --no-isolation --outdir dist
	@$(BIN)/python release/sbom.py $$(ls -t dist/hoyle_conformance-*.whl | head -n 1)

# With FINAL=1, the version must be ready to be published. SITE names a folder with a site that is built already.
release-dry-run: $(VENV)/ready-test $(if $(SITE),,$(VENV)/ready-site $(IF_NODE)) ## do everything that a release does, but for publishing it
	@$(BIN)/python release/dry_run.py $(if $(FINAL),--final) $(if $(SITE),--site $(SITE))

lock: $(UV) ## choose the newest allowed versions of all packages, and write them into uv.lock
	@$(UV) lock --upgrade --default-index https://pypi.org/simple
	@$(LIST) --only-group uv --output-file uv.txt

oldest: RESOLUTION = lowest-direct
newest: RESOLUTION = highest
oldest newest: $(UV) ## test Hoyle with the oldest or newest allowed versions of its packages
	@$(UV) venv --quiet --clear --python '$(PYTHON)' .venv-$@
	@$(UV) pip install --quiet --python .venv-$@ --resolution $(RESOLUTION) --editable '.[test]'
	@.venv-$@/bin/hoyle check
	@.venv-$@/bin/python -m pytest -q --numprocesses auto --dist worksteal -m "not slow"

clean: ## remove everything that the other commands generate
	rm -rf $(VENV) .venv-oldest .venv-newest $(dir $(PYODIDE) $(AXE)) site dist build engines/*.jsonl spec-json .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage

$(VENV)/bin/python:
	@echo "Creating a Python environment in $(VENV) …"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Hoyle needs Python 3.11 or later: make PYTHON=python3.11 …")'
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || { echo "This Python cannot create environments. On Debian, install python3-venv." >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV)

$(UV): uv.txt | $(VENV)/bin/python
	@$(PIP) install --no-deps --require-hashes --only-binary :all: -r $< $(OR_SAY_HOW)
	@touch $@

$(VENV)/ready: pyproject.toml uv.lock $(UV) | $(VENV)/bin/python
	@$(LIST) --group build --output-file $(VENV)/run.txt
	@$(PINNED) -r $(VENV)/run.txt $(OR_SAY_HOW)
	@$(INSTALL) --no-build-isolation --editable .
	@$(NOTHING_MISSING)
	@touch $@

$(VENV)/ready-%: $(VENV)/ready
	@$(LIST) --extra $* --output-file $(VENV)/$*.txt
	@$(PINNED) -r $(VENV)/$*.txt $(OR_SAY_HOW)
	@$(NOTHING_MISSING)
	@touch $@

$(VENV)/ready-environments: environments/requirements.txt environments/pyproject.toml $(VENV)/ready
	@$(PINNED) -r $< $(OR_SAY_HOW)
	@$(INSTALL) --no-build-isolation --editable environments
	@$(NOTHING_MISSING)
	@touch $@

$(PYODIDE) $(AXE): %/node_modules/.package-lock.json: %/package-lock.json
	@npm ci --prefix $* --no-audit --no-fund --loglevel error
	@touch $@
