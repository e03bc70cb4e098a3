"""What is published holds what it should, and the release's own check knows it."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "client-vscode" / "scripts" / "release.py"


def release():
    spec = spec_from_file_location("release", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules["release"] = module
    spec.loader.exec_module(module)
    return module


def test_every_file_of_the_extensions_media_is_expected():
    listed = subprocess.run(
        ["git", "ls-files", "media"], cwd=SCRIPT.parents[1], capture_output=True, text=True
    ).stdout.split()
    assert listed
    expected = release().EXPECTED
    assert [name for name in listed if not expected.fullmatch(name)] == []
    assert not expected.fullmatch("src/extension.ts")
