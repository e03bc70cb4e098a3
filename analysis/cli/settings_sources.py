"""Where the terminal's settings come from, weakest first.

Defaults, the user's ``config.toml``, ``[tool.scope]`` in the repository's pyproject.toml,
``SCOPE_*`` variables, flags. A repository is not trusted: it may set only what neither decides
where data goes nor which files are read nor what runs.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from analysis.plain_data import json_data, toml_data
from analysis.settings import Settings, machine_settings, settings_from
from analysis.user_folders import user_folder
from analysis.workspace.safe_open import read_named

_PREFIX = "SCOPE_"
# What programs of this kind are used to; our own names go before them.
_OTHER_NAMES: dict[tuple[str, ...], str] = {
    ("plan", "max_iterations"): "MAX_ITERATIONS",
    ("plan", "max_executor_steps"): "MAX_EXECUTOR_STEPS",
}

# A settings file is a page of text; whatever is larger is not one, and is not read into memory.
_MAX_BYTES = 1_000_000


@dataclass(frozen=True, slots=True)
class LoadedSettings:
    """The settings in force, and a sentence for each value that was ignored."""

    settings: Settings
    problems: tuple[str, ...]


def load_settings(
    root: Path | None, environment: Mapping[str, str], flags: Mapping[str, Any] | None = None
) -> LoadedSettings:
    """Return the settings for a code base, or for no particular one if ``root`` is None.

    Args:
        root: The code base whose pyproject.toml has a say in harmless settings.
        environment: The process's environment.
        flags: Nested data from the command line; it wins over everything else.
    """
    settings = Settings()
    problems: list[str] = []
    for source, (raw, trouble) in _layers(root, environment, flags):
        problems += [f"{source}: {text}" for text in trouble]
        settings, ignored = settings_from(raw, settings)
        problems += [f"{source}: {text}" for text in ignored]
    return LoadedSettings(settings, tuple(problems))


def user_config_file() -> Path:
    """Return where the user's own settings are kept."""
    return user_folder("config") / "config.toml"


def _layers(
    root: Path | None, environment: Mapping[str, str], flags: Mapping[str, Any] | None
) -> list[tuple[str, tuple[dict[str, Any], list[str]]]]:
    """Return each source's name with its data and what was wrong with it."""
    config = user_config_file()
    layers = [(str(config), _read_toml(config))]
    if root is not None:
        layers.append(("[tool.scope] in pyproject.toml", _from_repository(root)))
    layers.append(("Environment", (_from_environment(environment), [])))
    layers.append(("Command line", (dict(flags or {}), [])))
    return layers


def _read_toml(path: Path) -> tuple[dict[str, Any], list[str]]:
    """Return a TOML file's data, empty if there is no such file, and what is wrong with it."""
    try:
        if not path.is_file():
            return {}, []
        return toml_data(read_named(path, _MAX_BYTES).decode()), []
    except (OSError, ValueError) as error:
        return {}, [f"The file was ignored, it cannot be read: {error}."]


def _from_repository(root: Path) -> tuple[dict[str, Any], list[str]]:
    """Return the harmless part of ``[tool.scope]``; the rest is named as ignored."""
    path = root / "pyproject.toml"
    try:
        if not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(root)):
            return {}, []  # A link that leads out of the code base is never followed.
    except OSError:
        return {}, []
    data, problems = _read_toml(path)
    tool = data.get("tool")
    section = tool.get("scope") if isinstance(tool, dict) else None
    if not isinstance(section, dict):
        return {}, problems
    refused = [*machine_settings(section), *_loosened(section)]
    problems += [
        f"Setting '{'.'.join(name)}' was ignored: only the user can set it, not a repository."
        for name in refused
    ]
    return _without(section, refused), problems


def _loosened(section: dict[str, Any]) -> list[tuple[str, ...]]:
    """Return the names of settings by which a repository would lift a rule of the user's."""
    model = section.get("model")
    names = ("never_send", "neverSend")
    if not isinstance(model, dict):
        return []
    return [("model", name) for name in names if name in model and model[name] is not True]


def _without(data: dict[str, Any], names: list[tuple[str, ...]]) -> dict[str, Any]:
    """Return nested ``data`` without the entries at ``names``."""
    kept: dict[str, Any] = {}
    for key, value in data.items():
        below = [name[1:] for name in names if name[0] == key]
        if () in below:
            continue
        kept[key] = _without(value, below) if isinstance(value, dict) else value
    return kept


def _from_environment(environment: Mapping[str, str]) -> dict[str, Any]:
    """Return the settings in ``SCOPE_<SECTION>_<NAME>`` variables as nested data."""
    raw: dict[str, Any] = {}
    for path, field in _fields(Settings):
        text = environment.get(_PREFIX + "_".join(path).upper())
        text = text or environment.get(_OTHER_NAMES.get(path, ""))
        if not text:
            continue
        section = raw
        for part in path[:-1]:
            section = section.setdefault(part, {})
        section[path[-1]] = _list_of(text) if get_origin(field.annotation) is list else text
    return raw


def _fields(
    model: type[BaseModel], path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], FieldInfo]]:
    """Yield each setting that is not a section, with the names that lead to it."""
    for name, field in model.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            yield from _fields(kind, (*path, name))
        else:
            yield (*path, name), field


def _list_of(text: str) -> list[str]:
    """Return a variable's items: a JSON list, or words between commas."""
    if text.lstrip().startswith("["):
        try:
            return list(json_data(text))
        except ValueError:
            pass  # A glob may start with a bracket; it is read as plain words then.
    return [item.strip() for item in text.split(",") if item.strip()]
