# Everything runs from a virtual environment under .venv; see tools/venv.sh.
BIN := .venv/bin
# the tests start the program a hundred times over: it is compiled once, whatever the shell says
export PYTHONDONTWRITEBYTECODE :=

.PHONY: demo test check tests quick docs bench soak lock audit clean wheel

demo: .venv/installed
	$(BIN)/puntobanco demo

# mypy reads on one core while browsers are waited for on another
test: .venv/installed
	sh tools/postgresql.sh
	sh tools/chromium.sh
	sh tools/nginx.sh
	$(MAKE) --no-print-directory --jobs 2 check tests

# one worker more than cores, for a browser's test mostly waits
tests: .venv/installed
	$(BIN)/pytest -n $$(($$(nproc) + 1))

check: .venv/installed
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python tools/locked.py requirements-dev.txt

# what a change of rules or table breaks first: under a minute on two cores
quick: check
	$(BIN)/pytest -n 2 --hypothesis-profile quick tests/rules tests/table --ignore tests/table/machine

# build/docs/docs/site/index.html; needs no network, and neither do its pages
docs: .venv/installed
	$(BIN)/sphinx-build -q -W --keep-going -c docs/site -d build/docs-read . build/docs

bench: .venv/installed
	$(BIN)/python -m bench

# a quarter of an hour under faults; `make soak SOAK="--postgres --minutes 60"`, or --help
soak: .venv/installed
	$(BIN)/python -m bench.soak $(SOAK)

wheel: .venv/installed
	$(BIN)/uv build --wheel --no-build-isolation --quiet

.venv/installed: requirements-dev.txt pyproject.toml tools/venv.sh
	sh tools/venv.sh

# known holes in what is locked; says so when nothing can be reached
audit: .venv/installed
	sh tools/audit.sh

lock: .venv/installed
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	  --no-emit-index-url --no-header --all-extras --group dev pyproject.toml --output-file requirements-dev.txt
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	  --no-emit-index-url --no-header --extra server --extra postgres pyproject.toml --output-file requirements.txt

clean:
	rm -rf .venv dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
