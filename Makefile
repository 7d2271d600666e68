# Every target sets up what it needs by itself, in .venv.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

.PHONY: demo play test bench clean

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

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "fifthstreet needs Python 3.11 or later")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip

$(VENV)/.plot $(VENV)/.web $(VENV)/.test $(VENV)/.bench: $(VENV)/.%: $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --editable '.[$*]'
	touch $@

# Pages are tested in Debian's browser.
/usr/bin/chromium:
	$$([ $$(id -u) = 0 ] || echo sudo) apt-get update -qq
	$$([ $$(id -u) = 0 ] || echo sudo) apt-get install -qq -y --no-install-recommends chromium

clean:
	rm -rf $(VENV) report .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
