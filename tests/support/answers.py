"""Documents about a code base whose citations a test chooses."""

from __future__ import annotations

from pathlib import Path

from analysis.answer_path import RunStats
from analysis.documents import DocumentParts, Section, check_citations, terminal_target
from analysis.documents.render import render
from analysis.engine import Engine
from analysis.settings import IndexSettings, Settings


def answer(root: Path, name: str, prose: str, below: str = "docs") -> Path:
    """Write ``NAME.md`` into a folder of a code base, with this text as its summary."""
    folder = root / below
    folder.mkdir(parents=True, exist_ok=True)
    target = terminal_target(root, root, output_dir=folder)
    settings = Settings(index=IndexSettings(cache_dir=str(root.parent / "answer-cache")))
    with Engine.open(root, settings) as engine:
        engine.prepare()
        view = engine._code_base.view()
        found = check_citations(prose, view, target.links())
        sections = (Section("Summary", found.markdown),)
        parts = DocumentParts(f"{name}?", target, RunStats("offline"), sections, found.references)
        path = folder / f"{name}.md"
        path.write_text(render(parts, view))
    return path
