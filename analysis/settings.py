"""One settings model with a default for everything.

Sources are merged elsewhere (the terminal in ``cli``, the editor in ``lsp_server``); here a bad
value is reported with its path and ignored, so that settings never stop a program.
Keys of model providers are never settings.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, get_args

from pydantic import BaseModel, Field, JsonValue, ValidationError

from analysis.models import ModeName
from analysis.settings_section import MACHINE, SettingsSection, is_machine

ContextKind = Literal[
    "input",
    "state",
    "selection",
    "diagnostics",
    "changes",
    "open_files",
    "workspace",
    "findings",
    "history",
]
"""What a question can bring along for a model to see; the scopes of the product."""
CONTEXT_KINDS: tuple[ContextKind, ...] = get_args(ContextKind)
_MEANINGS: dict[str, JsonValue] = {
    "input": "The words of the question.",
    "state": "Where the cursor is.",
    "selection": "The selected code.",
    "diagnostics": "The problem that is asked about.",
    "changes": "The changes that are attached, as git knows them.",
    "open_files": "Open files as they stand in the editor, not yet saved.",
    "workspace": "Code of the workspace, as the search finds it.",
    "findings": "What earlier steps of a run found out.",
    "history": "The earlier answer that a question follows up on.",
}
_APPROVALS: dict[str, JsonValue] = {
    "never": "Nobody is asked.",
    "on-request": "You are asked about what approvalFor lists.",
    "always": "You are asked before every request and every tool.",
}


class WorkspaceSettings(SettingsSection):
    """Which files belong to the code base."""

    max_file_kb: int = Field(500, ge=1, le=100_000, description="Larger files are left out (KB).")
    include_ignored: list[str] = Field(
        default_factory=list,
        description="Globs of ignored files to search all the same.",
        json_schema_extra=MACHINE,
    )


class IndexSettings(SettingsSection):
    """Where and how the code index is kept."""

    cache_dir: str | None = Field(
        None,
        description="Folder of the code index; the user's cache folder if not set.",
        json_schema_extra=MACHINE,
    )
    workers: int = Field(
        0,
        ge=0,
        le=64,
        description="Parser processes; 0 chooses by size.",
        json_schema_extra={"scope": "machine-overridable"},  # how it is listed in VS Code
    )
    file_time_limit_s: float = Field(
        5.0, gt=0, le=600, description="A file that takes longer to parse is left out (seconds)."
    )


class AnswerSettings(SettingsSection):
    """What an answer looks like."""

    mode: ModeName = Field("auto", description="How to answer.")
    top_k: int = Field(20, ge=1, le=200, description="How many candidate files are considered.")
    output_dir: str | None = Field(
        None,
        description="Folder for documents, instead of .scope in the workspace (editors) or "
        "contexts (terminal).",
        json_schema_extra=MACHINE,
    )


class BackendSettings(SettingsSection):
    """Who is asked about code that the resolver of Scope cannot decide alone."""

    jedi: bool = Field(
        True,
        description="Ask Jedi what the resolver leaves open in Python code.",
        json_schema_extra=MACHINE,
    )
    trusted: bool = Field(
        False,
        description="Programs of the code base may be run: its interpreter, language servers.",
        json_schema_extra=MACHINE,
    )
    python: str | None = Field(
        None,
        description="Python interpreter whose packages Jedi sees; used only if trusted.",
        json_schema_extra=MACHINE,
    )
    language_servers: dict[str, list[str]] = Field(
        default_factory=dict,
        description="Command of a language server by language; used only if trusted.",
        json_schema_extra=MACHINE,
    )
    time_limit_s: float = Field(
        2.0, gt=0, le=60, description="What is open after this long stays open (seconds)."
    )


class EditorSettings(SettingsSection):
    """What the language server does beside answering questions."""

    references: list[str] = Field(
        default_factory=list,
        description="Languages, such as python, whose references and call hierarchy Scope shows; "
        "each is left to its own language server if not named here.",
    )
    answer_lens: bool = Field(False, description="Show over code how many answers cite it.")


class ModelSettings(SettingsSection):
    """Which model answers, where it is, and how it is asked."""

    name: str | None = Field(
        None,
        description="The model with its provider, as in anthropic/claude-sonnet-4-5; none if not "
        "set here nor in SCOPE_MODEL.",
        json_schema_extra=MACHINE,
    )
    api_base: str | None = Field(
        None,
        description="Address of the model's server, if it is not the provider's own.",
        json_schema_extra=MACHINE,
    )
    headers: dict[str, str] = Field(
        default_factory=dict,
        description="Extra headers of each request; $NAME is taken from the environment.",
        json_schema_extra=MACHINE,
    )
    proxy: str | None = Field(
        None, description="Address of an HTTP proxy to the model.", json_schema_extra=MACHINE
    )
    context_tokens: int | None = Field(
        None, ge=1_000, description="How much the model can take, where its table is silent."
    )
    piece_timeout_s: float = Field(
        60.0, gt=0, description="Longest silence of a model before the call is given up (seconds)."
    )
    timeout_s: float = Field(600.0, gt=0, description="Longest answer of a model (seconds).")
    load_timeout_s: float = Field(
        300.0,
        gt=0,
        description="Longest wait for the first word of a model on this machine (seconds).",
    )
    reasoning_effort: Literal["none", "minimal", "low", "medium", "high"] | None = Field(
        None, description="How much the model thinks before it answers; its own default if not set."
    )
    output_tokens: int | None = Field(
        None,
        ge=500,
        description="Most tokens of one answer, thinking included; by the model if not set.",
    )
    request_tokens: int | None = Field(
        None,
        ge=1_000,
        description="Most tokens that one request sends; by window and budget if not set.",
    )
    final_tokens: int | None = Field(
        None,
        ge=1_000,
        description="Most tokens that the request for the document sends; by window and budget "
        "if not set.",
    )
    tokens_per_minute: int | None = Field(
        None,
        ge=1_000,
        description="Most tokens a minute to a model elsewhere, over all questions at once; what "
        "its provider says of itself if not set.",
    )
    never_send: bool = Field(
        False, description="Never send code to a model: every mode becomes offline."
    )


class BudgetSettings(SettingsSection):
    """What one question may cost."""

    tokens: int | None = Field(
        None,
        ge=1_000,
        description="Most tokens for one question, read and written; by mode if not set.",
        json_schema_extra=MACHINE,
    )
    usd: float | None = Field(
        2.0,
        gt=0,
        description="Most dollars for one question; the price must be known for it to hold.",
        json_schema_extra=MACHINE,
    )


class PipelineSettings(SettingsSection):
    """How much code the pipeline shows to the model; the limits in tokens hold as well."""

    max_files: int = Field(12, ge=1, le=100, description="Files that are outlined at first.")
    tree_chars: int = Field(8_000, ge=0, description="Characters of the list of files.")
    file_chars: int = Field(8_000, ge=500, description="Characters of one file while exploring.")
    exploration_chars: int = Field(
        22_000, ge=1_000, description="Characters of code in one request while exploring."
    )
    final_file_chars: int = Field(
        15_000, ge=500, description="Characters of one file for the document."
    )
    final_chars: int = Field(
        40_000, ge=1_000, description="Characters of code in the request for the document."
    )


class AgentSettings(SettingsSection):
    """How long a model may look around by itself."""

    turns: int = Field(20, ge=1, le=200, description="Most turns of the model before it writes.")
    full_turns: int = Field(
        3, ge=1, le=50, description="Turns whose full reads stay when a conversation is shortened."
    )
    time_s: float = Field(600.0, gt=0, description="Longest search of the agent (seconds).")


class PlanSettings(SettingsSection):
    """How far plan mode goes; what a question may cost holds above these."""

    max_iterations: int = Field(10, ge=1, le=100, description="Most plans for one question.")
    max_executor_steps: int = Field(
        5, ge=1, le=50, description="Most calls of the model for one step of a plan."
    )
    max_visits: int = Field(
        150, ge=10, le=2_000, description="Most steps of the graph for one question, of any kind."
    )
    parallel_steps: int = Field(
        2, ge=1, le=8, description="Independent steps of a plan that run at once."
    )


class IterativeSettings(SettingsSection):
    """How long iterative mode goes on; a question's complexity decides within these limits."""

    max_rounds: int = Field(
        2, ge=2, le=4, description="Rounds for a simple question; others get four."
    )
    confidence: int = Field(
        95,
        ge=50,
        le=100,
        description="Confidence that ends a search; harder questions ask for less.",
    )
    max_lines: int = Field(
        12_000,
        ge=100,
        description="Lines of code gathered for a complex question; others get less.",
    )


class OrganisationSettings(SettingsSection):
    """The shared index of an organisation; who logs in is never a setting."""

    service: str | None = Field(
        None,
        description="Service of libpq's service file whose index editor and agents may ask; "
        "nothing is asked there if not set.",
        json_schema_extra=MACHINE,
    )
    clones: list[str] = Field(
        default_factory=list,
        description="Folders in which repositories are cloned, at most three levels deep; links "
        "into the organisation's code open there.",
        json_schema_extra=MACHINE,
    )


class Settings(SettingsSection):
    """Everything that can be configured."""

    allowed_scopes: list[ContextKind] = Field(
        default_factory=lambda: list(CONTEXT_KINDS),
        description="Kinds of context that a model may see; it is not asked at all without input "
        "and workspace.",
        json_schema_extra={**MACHINE, "meanings": _MEANINGS},
    )
    approval: Literal["never", "on-request", "always"] = Field(
        "never",
        description="When you are asked before requests and tools: never, for approvalFor, always.",
        json_schema_extra={**MACHINE, "meanings": _APPROVALS},
    )
    approval_for: list[str] = Field(
        default_factory=lambda: ["leaving"],
        description="What on-request asks for: names of tools or scopes, or leaving for code that "
        "leaves this machine.",
        json_schema_extra=MACHINE,
    )

    workspace: WorkspaceSettings = Field(default_factory=WorkspaceSettings)
    index: IndexSettings = Field(default_factory=IndexSettings)
    answer: AnswerSettings = Field(default_factory=AnswerSettings)
    backends: BackendSettings = Field(default_factory=BackendSettings)
    editor: EditorSettings = Field(default_factory=EditorSettings)
    model: ModelSettings = Field(default_factory=ModelSettings)
    budget: BudgetSettings = Field(default_factory=BudgetSettings)
    pipeline: PipelineSettings = Field(default_factory=PipelineSettings)
    agent: AgentSettings = Field(default_factory=AgentSettings)
    plan: PlanSettings = Field(default_factory=PlanSettings)
    iterative: IterativeSettings = Field(default_factory=IterativeSettings)
    organisation: OrganisationSettings = Field(default_factory=OrganisationSettings)


def settings_from(
    raw: dict[str, Any], fallback: Settings | None = None
) -> tuple[Settings, list[str]]:
    """Return settings from plain data, and a sentence for each value that was ignored.

    Args:
        raw: Nested data in snake_case or camelCase.
        fallback: Where the value of an invalid or missing field comes from.
    """
    base = (fallback or Settings()).model_dump()
    problems: list[str] = []
    data = _merged(base, raw, Settings)
    while True:
        try:
            return Settings.model_validate(data), problems
        except ValidationError as error:
            found = []
            for item in reversed(error.errors()):  # The last of a list first: it moves no other.
                path = [str(part) for part in item["loc"]]
                found.append(f"Setting '{'.'.join(path)}' was ignored: {item['msg']}.")
                _reset(data, base, path)
            problems += reversed(found)


def machine_settings(raw: dict[str, Any]) -> list[tuple[str, ...]]:
    """Return the names in ``raw``, as written there, of settings that only the user may set."""
    return list(_machine_names(raw, Settings))


def _machine_names(raw: dict[str, Any], model: type[BaseModel]) -> Iterator[tuple[str, ...]]:
    """Yield the path of each marked field that ``raw`` gives a value."""
    fields = {name: field for name, field in model.model_fields.items()}
    fields |= {field.alias: field for field in fields.values() if field.alias}
    for key, value in raw.items():
        field = fields.get(key)
        if field is None:
            continue
        if is_machine(field):
            yield (key,)
        section = field.annotation
        if isinstance(value, dict) and isinstance(section, type) and issubclass(section, BaseModel):
            yield from ((key, *rest) for rest in _machine_names(value, section))


def _merged(base: dict[str, Any], raw: dict[str, Any], model: type[BaseModel]) -> dict[str, Any]:
    """Return ``base`` with ``raw`` over it, under Python's field names."""
    merged = dict(base)
    names = {field.alias or name: name for name, field in model.model_fields.items()}
    for key, value in raw.items():
        name = names.get(key, key)
        section = model.model_fields[name].annotation if name in model.model_fields else None
        if isinstance(value, dict) and isinstance(section, type) and issubclass(section, BaseModel):
            merged[name] = _merged(base[name], value, section)
        else:
            merged[name] = value
    return merged


def _reset(data: dict[str, Any], base: dict[str, Any], path: list[str]) -> None:
    """Put back the last good value at ``path``, or drop what has none, as an item of a list."""
    *parents, leaf = path
    for part in parents:
        if isinstance(items := data.get(part), list) and leaf.isdecimal() and part == parents[-1]:
            # A list of what is allowed must not become longer by a mistake in it.
            data[part] = [*items[: int(leaf)], *items[int(leaf) + 1 :]]
            return
        if not isinstance(data.get(part), dict) or part not in base:
            data[part] = base.get(part, data.get(part))
            return
        data, base = data[part], base[part]
    if leaf in base:
        data[leaf] = base[leaf]
    else:
        data.pop(leaf, None)
