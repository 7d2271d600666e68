# Every target sets up what it needs by itself, in .venv.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
WHEEL := .wheel

.PHONY: demo play test bench fuzz wheel clean

## demo: the papers' results, run again; a page of them in report/
demo: $(VENV)/.plot
	$(BIN)/fifthstreet reproduce --scale quick --out report

## play: any game against any agent, in the browser
play: $(VENV)/.web
	$(BIN)/fifthstreet serve

## test: style (Python, JavaScript, CSS), types, layers, tests and the README's examples
test: $(VENV)/.test /usr/bin/chromium
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	@if [ -x $(BIN)/biome ]; then $(BIN)/biome check --error-on-warnings src/fifthstreet/web/page; \
	else echo "biome is not available for this machine: the page's JavaScript and CSS are not checked"; fi
	$(BIN)/pytest -n 2 --dist loadfile --no-loadscope-reorder

## bench: this project beside its peers, in one run
bench: $(VENV)/.bench
	$(BIN)/fifthstreet bench

## fuzz: changed inputs on everything that reads input; FUZZ="--minutes 60 --hypothesis 1000" for longer
fuzz: $(VENV)/.test
	PYTHONPATH=tests $(BIN)/python -m fuzzing $(FUZZ)

## wheel: build sdist and wheel in dist/, and try the wheel in an environment of its own
wheel:
	rm -rf dist $(WHEEL)
	$(PYTHON) -m venv $(WHEEL)/build
	$(WHEEL)/build/bin/python -m pip install --quiet build
	$(WHEEL)/build/bin/python -m build --outdir dist
	$(PYTHON) -m venv $(WHEEL)/fresh
	$(WHEEL)/fresh/bin/python -m pip install --quiet "$$(echo dist/*.whl)[web]"
	cd $(WHEEL) && fresh/bin/fifthstreet match kuhn equilibrium random --deals 200 --store none
	cd $(WHEEL) && fresh/bin/python -c 'from fifthstreet.web.server import PAGE; assert (PAGE / "index.html").is_file()'
	rm -rf $(WHEEL)

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "fifthstreet needs Python 3.11 or later")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip

$(VENV)/.plot $(VENV)/.web $(VENV)/.bench: $(VENV)/.%: $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --editable '.[$*]'
	touch $@

$(VENV)/.test: $(BIN)/python pyproject.toml tests/constraints.txt
	$(BIN)/python -m pip install --quiet --constraint tests/constraints.txt --editable '.[test]'
	touch $@

# Pages are tested in Debian's browser.
/usr/bin/chromium:
	$$([ $$(id -u) = 0 ] || echo sudo) apt-get update -qq
	$$([ $$(id -u) = 0 ] || echo sudo) apt-get install -qq -y --no-install-recommends chromium

clean:
	rm -rf $(VENV) $(WHEEL) dist report .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
