"""Tools as the caller declares them: what a call may say, and what is decided for it.

The JSON schema of a tool decides. A ``const`` is provisioned: the call cannot change it. Anything
else is requested: the call chooses, the choice is checked, and a ``default`` stands for none. What
the schema does not declare, a call cannot set.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import Any

from analysis.calls.call import PROTOCOL_FIELDS, Call
from analysis.calls.plain_data import frozen, thawed

_GIVEN = ("_scopes", "_activity", "_delegate")


class Refused(Exception):
    """A call that its tool does not allow; the text tells the model what to change."""


@dataclass(frozen=True, slots=True)
class CallTool:
    """A tool that calls may name."""

    name: str
    schema: Mapping[str, Any] = field(default_factory=dict)
    """JSON schema of a call: its parameters, and any of ``_scopes``, ``_activity``, ``_delegate``.
    References to other documents are never followed."""
    description: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "schema", frozen(self.schema, f"the schema of {self.name!r}"))
        self._check()

    @property
    def choices(self) -> tuple[str, ...] | None:
        """The scopes that a call may choose from; None if they are provisioned or not listed."""
        scopes = self._declared("_scopes") or {}
        items = scopes.get("items")
        listed = items.get("enum") if isinstance(items, Mapping) else None
        return tuple(listed) if listed is not None else None

    def settled(self, call: Call) -> Call:
        """Return the call with what the schema decides filled in.

        Raises:
            Refused: It changes what is provisioned, or does not fit the schema.
        """
        chosen = {name[1:]: self._settled(name, _value(call, name)) for name in _GIVEN}
        self._check_params(call)
        return replace(call, **chosen)

    def _settled(self, name: str, given: Any) -> Any:
        """Return what a field of the protocol is after the schema had its say."""
        declared = self._declared(name)
        if declared is None:
            if given is not None:
                raise Refused(f"The tool {self.name!r} takes no {name!r}; leave it out.")
            return None
        if "const" in declared:
            const = declared["const"]
            if given is not None and _as_set(given) != _as_set(const):
                raise Refused(
                    f"{name!r} of the tool {self.name!r} is fixed to {thawed(const)!r}: "
                    "leave it out."
                )
            return const
        if given is None:
            return declared.get("default")
        if problem := _problem(declared, thawed(given)):
            raise Refused(
                f"{name!r} of the call of {self.name!r} was refused: {problem}."
                f"{_near(given, self.choices if name == '_scopes' else None)}"
            )
        return given

    def _check_params(self, call: Call) -> None:
        schema = {key: value for key, value in thawed(self.schema).items() if key != "required"}
        properties = schema.get("properties", {})
        schema["properties"] = {k: v for k, v in properties.items() if k not in PROTOCOL_FIELDS}
        schema["required"] = [k for k in self.schema.get("required", ()) if k[:1] != "_"]
        if problem := _problem(schema, thawed(call.params)):
            raise Refused(f"The call of {self.name!r} does not fit its schema: {problem}.")

    def _declared(self, name: str) -> Mapping[str, Any] | None:
        found = self.schema.get("properties", {}).get(name)
        return found if isinstance(found, Mapping) else None

    def _check(self) -> None:
        """Raise ``ValueError`` for a schema that its designer has to mend."""
        from jsonschema import Draft202012Validator
        from jsonschema.exceptions import SchemaError

        try:
            Draft202012Validator.check_schema(thawed(self.schema))
        except SchemaError as error:
            raise ValueError(f"the schema of {self.name!r}: {error.message}") from None
        for name in _GIVEN:
            declared = self._declared(name)
            for given in (
                () if declared is None else (declared.get("const"), declared.get("default"))
            ):
                if given is not None and not _is_fit(name, given):
                    raise ValueError(f"the schema of {self.name!r}: {name!r} cannot be {given!r}")
        default = (self._declared("_scopes") or {}).get("default")
        if default is not None and (
            problem := _problem(self._declared("_scopes"), thawed(default))
        ):
            raise ValueError(f"the schema of {self.name!r}: its own default is wrong: {problem}")


def _value(call: Call, name: str) -> Any:
    return getattr(call, name[1:])


def _is_fit(name: str, value: Any) -> bool:
    if name == "_scopes":
        return isinstance(value, tuple) and all(isinstance(item, str) for item in value)
    return isinstance(value, str)


def _as_set(value: Any) -> Any:
    return frozenset(value) if isinstance(value, tuple) else value


def _problem(schema: Any, data: Any) -> str:
    """Return what is wrong with data; nothing is ever fetched to find out."""
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import best_match
    from referencing import Registry
    from referencing.exceptions import Unresolvable

    validator = Draft202012Validator(thawed(schema), registry=Registry())
    try:
        error = best_match(validator.iter_errors(data))
    except Unresolvable as missing:
        return f"its schema refers to {missing}, which is not in it"
    if error is None:
        return ""
    where = ".".join(str(part) for part in error.absolute_path)
    return f"{where}: {error.message}" if where else str(error.message)


def _near(given: Any, choices: tuple[str, ...] | None) -> str:
    """Return what may have been meant, where there is something to choose from."""
    if not choices:
        return ""
    wrong = next((item for item in given if item not in choices), "")
    close = get_close_matches(wrong, choices, 1)
    return f" Did you mean {close[0]!r}?" if close else f" Choose from {', '.join(choices)}."
