"""What is generated from the Python code stands in the files as it would be written now."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_generated_files_are_as_they_would_be_written_now():
    script = ROOT / "client-vscode" / "scripts" / "generate.py"
    done = subprocess.run([sys.executable, str(script), "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
