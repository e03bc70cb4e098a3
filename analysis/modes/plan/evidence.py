"""What the findings of plan mode are to those that read them: prompts, and the document."""

from __future__ import annotations

from analysis.documents.markdown import inline_code
from analysis.modes.plan.state import Finding, PlanState
from analysis.modes.reading import SearchEvidence
from analysis.tools.fences import Fences

_CUT = "\n… (cut)"
# A finding that is cut below this says nothing.
_LEAST_CHARS = 400
_MAX_NAMED = 5


def findings_text(state: PlanState, fences: Fences, max_chars: int) -> str:
    """Return all findings for a prompt, each as the step's own answer, or else what tools said.

    Args:
        state: Of the run.
        fences: How text of the repository is quoted.
        max_chars: For all of them; each gets an equal share.
    """
    if not state.findings:
        return "Findings: none yet."
    share = max(max_chars // len(state.findings), _LEAST_CHARS)
    return "\n\n".join(
        fences.quoted(
            key if finding.n_results else f"{key} (no tool was used)",
            cut(finding.summary or finding.text, share),
        )
        for key, finding in state.findings.items()
    )


def cut(text: str, max_chars: int) -> str:
    """Return as much of a text as has room, and that it was cut if it was."""
    return text if len(text) <= max_chars else text[: max_chars - len(_CUT)] + _CUT


def fill(evidence: SearchEvidence, state: PlanState) -> None:
    """Make the findings the document's evidence, also of steps that were ended in the middle."""
    found: list[tuple[str, Finding]] = [
        (key.partition(": ")[2], finding) for key, finding in state.findings.items()
    ]
    found += [
        (state.plan[int(index)].description, buffer.finding())
        for index, buffer in state.messages.items()
    ]
    # What a step says that has not looked at anything is no evidence.
    evidence.insights[:] = [
        f"{step}: {item.summary}" for step, item in found if item.summary and item.n_results
    ]
    places = [
        (seen.path, seen.line_start, seen.line_end) for _, item in found for seen in item.shown
    ]
    evidence.read[:] = list(dict.fromkeys(places))


def report(state: PlanState, *, is_limited: bool) -> list[str]:
    """Return how the run went, as sentences for the end of the document."""
    n_plans, n_steps = state.iteration_count, len(state.findings)
    remark = f"Plans: {n_plans} | Steps: {n_steps}"
    if is_limited:
        remark += " | Stop: limit"
    elif state.loop_decision == "FINISH":
        remark += " | Stop: FINISH"
    remarks = [remark]
    for number, (key, finding) in enumerate(state.findings.items()):
        files = dict.fromkeys(seen.path for seen in finding.shown)
        read = ", ".join(inline_code(path) for path in list(files)[:_MAX_NAMED]) or "no file"
        more = f" and {len(files) - _MAX_NAMED} more" if len(files) > _MAX_NAMED else ""
        step = inline_code(key.partition(": ")[2])
        remarks.append(f"Step {number}, {step}: read {read}{more}.")
    return remarks
