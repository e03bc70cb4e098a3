"""How long it takes to know the states of many documents, and how much memory.

    python -m benchmarks.verify_speed [--documents 200] [--references 30] [--verify 1000]

In the editor: documents are held, one cited file changes, and the states of all documents that
cite it are wanted again. In the terminal: ``scope verify`` over a folder of documents, with and
without a change of a cited file.
"""

from __future__ import annotations

import argparse
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from analysis.documents.anchor_files import AnchorFiles
from analysis.documents.block import StoredReference, block_text
from analysis.documents.body_links import body_links
from analysis.documents.file_search import file_mark
from analysis.documents.links import RelativeLinks
from analysis.documents.marking import mark_of
from analysis.engine import Engine
from analysis.models import CodeReference
from analysis.workspace.buffers import OpenBuffers
from benchmarks.anchor_code import Snapshot, snapshot
from benchmarks.anchor_corpora import PYTHON, sources
from benchmarks.anchor_sample import cited_reference, references

_ROUNDS = 60
# The best of so many tries is told: other programs use the machine, too.
_TRIES = 4


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--documents", type=int, default=200)
    parser.add_argument("--references", type=int, default=30)
    parser.add_argument("--verify", type=int, default=1000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, "code")
        count = max(options.documents, options.verify)
        answers = cited_packages(root, count, options.references)
        _editor(root, sorted(answers.iterdir())[: options.documents])
        if options.verify:
            _terminal(root, answers, options.verify)


def cited_packages(root: Path, count: int, size: int) -> Path:
    """Write the Python packages and documents about them below a root; return their folder."""
    texts = {f"{n}/{path}": text for n in PYTHON for path, text in sources(n, 1).items()}
    for path, text in texts.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    answers = root / "docs" / "answers"
    _write_documents(snapshot(texts), root, answers, count, size)
    return answers


def _write_documents(code: Snapshot, root: Path, folder: Path, count: int, size: int) -> None:
    """Write documents about the code; each cites a few files, as answers do."""
    folder.mkdir(parents=True)
    rng = random.Random(3)
    pool: dict[str, list[CodeReference]] = {}
    for cited in references(code, 4000, 5):
        found = cited_reference(code, cited.path, cited.start, cited.end)
        pool.setdefault(cited.path, []).append(found)
    links = RelativeLinks(root, folder)
    stored: dict[CodeReference, StoredReference] = {}
    files = AnchorFiles(code)
    started = time.perf_counter()
    for number in range(count):
        paths = rng.sample(sorted(pool), 8)
        known = [ref for path in paths for ref in pool[path]]
        chosen = rng.sample(known, min(size, len(known)))
        lines = [
            f"- [{r.path}:{r.line_start}]({links.target(r.path, r.line_start, r.line_end)})"
            for r in chosen
        ]
        text = "\n## Code References\n\n" + "\n".join(lines) + "\n\n"
        hashes = [link.hash for link in body_links(text, links)]
        front = "---\nsource_repo: ../..\nscope_question: what\n---\n"
        for reference in chosen:
            if reference not in stored:
                stored[reference] = _stored(reference, files)
        block = block_text([stored[reference] for reference in chosen], hashes)
        Path(folder, f"answer-{number:04}.md").write_text(front + text + block)
    seconds = time.perf_counter() - started
    print(f"{count} documents written, {1000 * seconds / len(stored):.1f} ms a reference")


def _stored(reference: CodeReference, files: AnchorFiles) -> StoredReference:
    """Return what a document remembers of a reference; each is marked once for all documents."""
    mark = mark_of(files, reference.path, reference.line_start, reference.line_end)
    file = files.get(reference.path)
    assert file is not None
    return StoredReference(reference, mark, file=file_mark(file, files))


def _editor(root: Path, documents: list[Path]) -> None:
    """Print how long the states take after an edit of one cited file."""
    buffers = OpenBuffers()
    with Engine.open(root, buffers=buffers) as engine:
        engine.prepare()
        states = engine.documents
        started = time.perf_counter()
        for document in documents:
            states.put(document)
        n = sum(len(states.check(document).references) for document in documents)
        seconds = time.perf_counter() - started
        print(f"{len(documents)} documents, {n} references: {seconds:.2f} s at first")
        rng = random.Random(9)
        cited = sorted(states.library.cited_files())
        times, used, touched = [], [], []
        for round_number in range(_ROUNDS):
            path = rng.choice(cited)
            lines = (root / path).read_text().split("\n")
            at = rng.randrange(len(lines))
            tries = []
            for number in range(_TRIES):
                text = [*lines[:at], f"# edit {round_number}.{number}", *lines[at:]]
                buffers.open(path, "\n".join(text), _TRIES * round_number + number)
                started, busy = time.perf_counter(), time.process_time()
                affected = states.changed([path])
                for document in affected:
                    states.check(document)
                wall, used_s = time.perf_counter() - started, time.process_time() - busy
                tries.append((1000 * wall, 1000 * used_s))
                touched.append(len(affected))
            times.append(min(wall for wall, _ in tries))
            used.append(min(used_s for _, used_s in tries))
            buffers.close(path)
            states.changed([path])
        print(f"after an edit, {statistics.mean(touched):.0f} documents touched: {_spread(times)}")
        print(f"  of that the processor was used for: {_spread(used)}")


def _spread(times: list[float]) -> str:
    ranked = sorted(times)
    p95 = ranked[int(0.95 * len(ranked))]
    return f"p50 {statistics.median(times):.0f} ms, p95 {p95:.0f} ms, worst {ranked[-1]:.0f} ms"


def _terminal(root: Path, folder: Path, count: int) -> None:
    """Print what ``scope verify`` takes, before and after an edit of the most cited files."""
    for name in ("unchanged", "edited"):
        if name == "edited":
            for path in sorted(root.rglob("core.py")) + sorted(root.rglob("models.py")):
                path.write_text("# edited\n" + path.read_text())
        command = [sys.executable, "-c", _PROBE, "verify", str(folder), "--format", "json"]
        started = time.perf_counter()
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        seconds = time.perf_counter() - started
        peak = done.stderr.strip().rpartition("\n")[2]
        print(f"scope verify, {count} documents, code {name}: {seconds:.1f} s, {peak}")


_PROBE = (
    "import resource, sys; from analysis.cli.main import main; code = main(sys.argv[1:]); "
    "used = resource.getrusage(resource.RUSAGE_SELF); "
    "print(f'{used.ru_utime + used.ru_stime:.1f} s of the processor, '"
    "f'{used.ru_maxrss // 1024} MB at most, exit code {code}', file=sys.stderr)"
)

if __name__ == "__main__":
    main()
