"""Compare rankings on labelled questions: `python -m benchmarks.retrieval [--corpora FOLDER]`.

Scope, semble 0.7 without a model, BM25 over files and a keyword count answer the same questions
about the same packages, in two tracks: `root` is the folder of the package's own sources, `whole`
is everything in it. `--engines scope scope-ready` compares the whole index with what is in it when
a large code base can first be searched. Prints tables and writes all figures as JSON.

Fetches what is missing (packages, an environment with semble) into `benchmarks/data`.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import venv
from collections import defaultdict
from pathlib import Path
from typing import Any

from benchmarks.questions import Question, Score, load_questions, packages_for, score

DATA = Path(__file__).with_name("data")
ENGINES = ("scope", "semble", "bm25", "grep")
READY = "scope-ready"
TRACKS = ("whole", "root")
SEMBLE = "semble==0.7.0"
_BOOTSTRAPS = 10_000


def main() -> None:
    options = _options()
    questions = load_questions(options.repos)
    packages = packages_for(questions, options.corpora)
    engines = options.engines or list(ENGINES)
    report: dict[str, dict[str, dict[str, Any]]] = {}
    for track in options.tracks:
        scores = {e: _run(e, track, questions, packages, options.semble) for e in engines}
        report[track] = {engine: _figures(found, questions) for engine, found in scores.items()}
        _print_track(track, report[track], questions)
        if "scope" in scores:
            report[track]["differences"] = _differences(scores, questions)
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(json.dumps(report, indent=1))
    print(f"\nAll figures: {options.output}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpora", type=Path, default=DATA / "packages")
    parser.add_argument("--semble", type=Path, default=DATA / "semble", help="its environment")
    parser.add_argument("--output", type=Path, default=DATA / "retrieval.json")
    parser.add_argument("--repos", nargs="*")
    parser.add_argument("--engines", nargs="*", choices=(*ENGINES, READY))
    parser.add_argument("--tracks", nargs="*", choices=TRACKS, default=TRACKS)
    return parser.parse_args()


def _run(
    engine: str, track: str, questions: list[Question], packages: dict[str, Path], semble: Path
) -> dict[str, Any]:
    """Return scores by question, and times and memory by package, of one engine."""
    by_repo: dict[str, list[Question]] = defaultdict(list)
    for question in questions:
        by_repo[question["repo"]].append(question)
    scores: dict[str, Score] = {}
    index_s: dict[str, float] = {}
    peak_mb: dict[str, float] = {}
    query_ms: list[float] = []
    for repo, asked in by_repo.items():
        inner = asked[0]["root"].rstrip("/") if track == "root" else ""
        answer = _ask(engine, packages[repo] / inner, [q["query"] for q in asked], semble)
        index_s[repo], peak_mb[repo] = answer["index_s"], answer["peak_mb"]
        query_ms += answer["query_ms"]
        for question, places in zip(asked, answer["results"], strict=True):
            full = [(f"{inner}/{p}".lstrip("/"), start, end) for p, start, end in places]
            scores[question["query_id"]] = score(full, question["gold"])
    return {"scores": scores, "index_s": index_s, "peak_mb": peak_mb, "query_ms": query_ms}


def _ask(engine: str, root: Path, queries: list[str], semble: Path) -> dict[str, Any]:
    """Return what an engine answers, from a process of its own."""
    command = [sys.executable, "-m", "benchmarks.rankers", engine, str(root)]
    if engine == "semble":
        script = Path(__file__).with_name("semble_ranker.py")
        command = [str(_semble_python(semble)), str(script), str(root)]
    done = subprocess.run(
        command, input=json.dumps(queries), capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"{engine} failed on {root}:\n{done.stderr}")
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def _semble_python(folder: Path) -> Path:
    """Return the interpreter of an environment with semble, made if it is not there."""
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not python.exists():
        venv.create(folder, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", SEMBLE], check=True)
    return python


def _figures(found: dict[str, Any], questions: list[Question]) -> dict[str, Any]:
    """Return the means of an engine: over all, by package and by category."""
    groups: dict[str, list[Score]] = defaultdict(list)
    for question in questions:
        one = found["scores"][question["query_id"]]
        for group in ("all", question["repo"], question["category"]):
            groups[group].append(one)
    means = {
        group: {
            "n": len(scores),
            "ndcg@10": statistics.fmean(s.ndcg for s in scores),
            "recall@10": statistics.fmean(s.recall for s in scores),
            "mrr": statistics.fmean(s.mrr for s in scores),
        }
        for group, scores in groups.items()
    }
    times = sorted(found["query_ms"])
    return {
        "means": means,
        "index_s": found["index_s"],
        "peak_mb": found["peak_mb"],
        "query_p50_ms": times[len(times) // 2],
        "query_p95_ms": times[int(len(times) * 0.95)],
    }


def _print_track(track: str, figures: dict[str, dict[str, Any]], questions: list[Question]) -> None:
    repos = list(dict.fromkeys(q["repo"] for q in questions))
    groups = ["all", *repos, *dict.fromkeys(q["category"] for q in questions)]
    print(f"\n== {track}: {len(questions)} questions, {len(repos)} packages")
    print(f"{'':14}" + "".join(f"{name:>34}" for name in figures))
    print(f"{'':14}" + f"{'NDCG@10  recall@10     MRR':>34}" * len(figures))
    for group in groups:
        cells = [f["means"][group] for f in figures.values()]
        row = "".join(
            f"{c['ndcg@10']:>16.3f}{c['recall@10']:>11.3f}{c['mrr']:>7.3f}" for c in cells
        )
        print(f"{group:14}{row}")
    for label, pick in (
        ("index, s", lambda f: sum(f["index_s"].values())),
        ("query p50, ms", lambda f: f["query_p50_ms"]),
        ("query p95, ms", lambda f: f["query_p95_ms"]),
        ("peak, MB", lambda f: max(f["peak_mb"].values())),
    ):
        print(f"{label:14}" + "".join(f"{pick(f):>34.1f}" for f in figures.values()))


def _differences(scores: dict[str, dict[str, Any]], questions: list[Question]) -> dict[str, Any]:
    """Return, and print, by how much Scope's NDCG@10 differs, with paired bootstrap intervals."""
    import numpy as np

    rng = np.random.default_rng(0)
    ids = [q["query_id"] for q in questions]
    ours = np.array([scores["scope"]["scores"][i].ndcg for i in ids])
    draws = rng.integers(0, len(ids), (_BOOTSTRAPS, len(ids)))
    result: dict[str, Any] = {}
    for engine in scores:
        if engine == "scope":
            continue
        difference = ours - np.array([scores[engine]["scores"][i].ndcg for i in ids])
        low, high = np.percentile(difference[draws].mean(axis=1), [2.5, 97.5])
        result[engine] = {"mean": float(difference.mean()), "low": float(low), "high": float(high)}
        print(f"scope - {engine}: {difference.mean():+.3f}  (95 %: {low:+.3f} to {high:+.3f})")
    return result


if __name__ == "__main__":
    main()
