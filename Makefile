# make demo   the main job, once, alone: no key, no network, no advisor
# make test   all tests, the executed notebooks included
# make check  style, types, the order of the rooms, the project's own checks, the wheel
# make quick  what is worth running before every commit, in under a minute: without the long tests
#             and the suites of advisors and tables, which make test has
#
# Each sets up what it needs in .venv; another Python is named with make PYTHON=…

PYTHON ?= python3
BIN := .venv/bin
SCRATCH := build/jupyter
JUPYTER := JUPYTER_CONFIG_DIR=$(SCRATCH) JUPYTER_DATA_DIR=$(SCRATCH) \
	JUPYTER_RUNTIME_DIR=$(SCRATCH) IPYTHONDIR=$(SCRATCH)

.PHONY: demo test check quick style notebooks benchmarks clean

demo: .venv/ready
	@$(BIN)/majordomus-reasoning demo

test: .venv/ready
	$(BIN)/python -m pytest -n 2 --dist loadscope
	@mkdir -p $(SCRATCH)
	$(JUPYTER) $(BIN)/python -m pytest --nbval --nbval-current-env notebooks

check: style
	$(BIN)/python -m build --wheel --outdir build/wheel .

quick: style
	$(BIN)/python -m pytest -n 2 --dist loadscope -m "not slow" \
		--ignore tests/advisors --ignore tests/frames

style: .venv/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/majordomus-reasoning check

notebooks: .venv/ready
	$(BIN)/python notebooks/build.py

benchmarks: .venv/ready
	$(BIN)/python benchmarks/run.py

clean:
	rm -rf .venv build dist

.venv/ready: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo \
	"Python 3.11 or later is needed: install it, or name one with make PYTHON=python3.11." >&2; \
	exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo \
	"This Python has no venv: install it (on Debian and Ubuntu: apt-get install python3-venv)." >&2; \
	exit 1; }
	@echo "Setting up .venv: some minutes, once."
	@rm -rf .venv
	@$(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check \
		--constraint constraints.txt --editable '.[all,test]'
	@$(BIN)/python -m compileall -q majordomus_reasoning
	@touch $@
