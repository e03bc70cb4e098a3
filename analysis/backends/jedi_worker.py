"""The process in which Jedi runs: one JSON object a line in, one a line out.

Jedi is neither safe in threads nor bounded in time, so it has a process of its own that can be
ended at any moment. The interpreter of a code base is run only if its path is handed in.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

# Jedi has no types for a checker to read.
Script = Any
Name = Any


def main() -> None:
    """Answer requests until the input ends."""
    output = sys.stdout
    sys.stdout = sys.stderr  # Whatever a library prints must not get between the answers.
    output.write(json.dumps({"ready": os.getpid()}) + "\n")
    output.flush()
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer: dict[str, Any] = {"id": request["id"], "result": _answer(request)}
        except RecursionError as error:
            answer = {"id": request["id"], "error": repr(error)}
        except Exception as error:  # Jedi's bugs are its own; the caller goes on without it.
            answer = {"id": request["id"], "error": repr(error)}
        output.write(json.dumps(answer) + "\n")
        output.flush()


def _answer(request: dict[str, Any]) -> Any:
    script = _script(request)
    line, column = request["line"], request["column"]
    if request["method"] == "goto":
        names = script.goto(line, column, follow_imports=True)
        return [_place(name) for name in names if name.module_path and name.line]
    if request["method"] == "type":
        return [_described(name) for name in script.infer(line, column)]
    raise ValueError(f"unknown method {request['method']!r}")


def _script(request: dict[str, Any]) -> Script:
    import jedi  # type: ignore[import-untyped]  # it has no types

    root = Path(request["root"])
    interpreter = request.get("python")
    environment = (
        jedi.create_environment(interpreter, safe=False)
        if interpreter
        else jedi.InterpreterEnvironment()
    )
    project = jedi.Project(root, load_unsafe_extensions=False, added_sys_path=[str(root / "src")])
    path = root / request["path"]
    return jedi.Script(request["text"], path=path, project=project, environment=environment)


def _place(name: Name) -> dict[str, Any]:
    return {
        "path": str(name.module_path),
        "line": name.line,
        "column": name.column,
        "name": name.name,
        "type": name.type,
    }


def _described(name: Name) -> dict[str, Any]:
    return {
        "name": name.full_name or name.name,
        "type": name.type,
        "description": name.description,
        "doc": name.docstring(raw=True)[:2000],
    }
