#!/usr/bin/env bash
# The extension in a real VS Code workbench: installs all it needs on a bare Debian 12 as root, packages the
# extension with the server's wheel, and plays the scenarios.
# usage: tests/e2e/run.sh [SCENARIO...]     names or parts of names; all if none is given
# E2E         where everything lies (default: .e2e in the clone)
# E2E_SERVER  a scope-lsp to use instead of the private environment, for quick rounds while developing
# E2E_VSIX    a package to test instead of building one
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
repository=$(cd "$here/../.." && pwd)
mkdir -p "${E2E:=$repository/.e2e}"
E2E=$(cd "$E2E" && pwd)
export E2E
step() { printf '== %4ss  %s\n' "$SECONDS" "$*"; }

# shellcheck source=tests/e2e/install.sh
source "$here/install.sh"
step "system packages"
install_packages
step "editor"
install_editor
[ -e "$repository/client-vscode/node_modules/.installed" ] \
  || (cd "$repository/client-vscode" && npm ci --ignore-scripts --no-audit --no-fund --silent && touch node_modules/.installed)
if [ -z "${E2E_VSIX:-}" ]; then
  step "package"
  E2E_VSIX=$E2E/scope.vsix
  (cd "$repository/client-vscode" && node scripts/vsix.mjs "$E2E_VSIX")
fi
export E2E_VSIX
# The scenarios' own extension, with a chat model that is scripted.
export E2E_MODEL_VSIX=$E2E/model.vsix
(cd "$here/model-extension" && node "$repository/client-vscode/node_modules/@vscode/vsce/vsce" package --no-dependencies \
  --allow-missing-repository --skip-license -o "$E2E_MODEL_VSIX" >/dev/null)
step "code to ask about"
bash "$here/workspaces.sh"
step "scenarios"
exec node "$here/main.mjs" "$@"
