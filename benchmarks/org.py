"""How an organisation's index does: `python -m benchmarks.org TASK`; needs a PostgreSQL of Debian.

Tasks, each on a server of its own in a temporary folder:

- `quality FOLDER...`: the 161 questions of `questions.jsonl` over all their packages at once, and
  the repositories below the given folders: the right repository among the first three, and NDCG@10
  against asking the right repository directly; client's processor time a question.
- `kill [ROUNDS]`: kills the publisher or the server at random moments and looks for a half
  generation.
- `timing [PAIRS]`: questions with and without a match in a repository that the asker does not see,
  and whether their times can be told apart (two-sample Kolmogorov-Smirnov).
"""

from __future__ import annotations

import argparse
import math
import os
import random
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from analysis.errors import ScopeError
from analysis.org.asking import Asking
from analysis.org.migrating import migrate
from analysis.org.organisation import Organisation
from analysis.org.publishing import Publisher
from analysis.settings import Settings
from benchmarks.questions import Place, load_questions, packages_for, score
from tests.org.cluster import Cluster

DATA = Path(__file__).with_name("data")
_FILES = 30
_PUBLISH = """
import sys
from pathlib import Path
from benchmarks.org import publish
publish(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]), ready=True)
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("task", choices=("quality", "kill", "timing"))
    parser.add_argument("rest", nargs="*")
    options = parser.parse_args()
    cluster = Cluster()
    try:
        with Organisation.open(cluster.address()) as organisation:
            migrate(organisation)
        with tempfile.TemporaryDirectory() as folder:
            task = {"quality": quality, "kill": kill, "timing": timing}[options.task]
            task(cluster, Path(folder), options.rest)
    finally:
        cluster.remove()


def publish(address: str, root: Path, cache: Path, *readers: str, ready: bool = False) -> int:
    """Publish a repository; return how many files were sent."""
    settings = Settings.model_validate({"index": {"cache_dir": str(cache), "workers": 0}})
    with Organisation.open(address) as organisation:
        publisher = Publisher(organisation, root, settings)
        publisher.refresh()
        if ready:
            print("ready", flush=True)
        done = publisher.publish(readers)
        publisher.close()
    return len(done.sent)


def quality(cluster: Cluster, folder: Path, rest: list[str]) -> None:
    questions = load_questions()
    roots = [committed(path) for path in packages_for(questions, DATA / "packages").values()]
    names = {root.name for root in roots}
    for extra in rest:
        roots += [p for p in sorted(Path(extra).iterdir()) if p.is_dir() and p.name not in names]
    sent = sum(publish(cluster.address(), committed(root), folder / "cache") for root in roots)
    print(f"{len(roots)} repositories, {sent} files")
    among = dict.fromkeys((1, 3, 12), 0)
    all_at_once: list[float] = []
    direct: list[float] = []
    seconds: list[float] = []
    with Organisation.open(cluster.address()) as organisation:
        asking = Asking(organisation)
        for question in questions:
            before = processor_s()
            answer = asking.ask(question["query"], 10)
            seconds.append(processor_s() - before)
            chosen = [one.head.name for one in answer.chosen]
            for most in among:
                among[most] += question["repo"] in chosen[:most]
            for found, scores in (
                (answer, all_at_once),
                (asking.ask(question["query"], 10, question["repo"]), direct),
            ):
                places: list[Place] = [
                    (
                        one.place.path if one.head.name == question["repo"] else "//",
                        one.place.line_start,
                        one.place.line_end,
                    )
                    for one in found.places
                ]
                scores.append(score(places, question["gold"]).ndcg)
    for most, n in among.items():
        print(f"right repository among the first {most}: {n / len(questions):.3f}")
    print(f"NDCG@10 {statistics.mean(all_at_once):.3f}, directly {statistics.mean(direct):.3f}")
    p50, p95 = part(seconds, 0.5), part(seconds, 0.95)
    print(f"client's processor time: p50 {p50:.3f} s, p95 {p95:.3f} s")


def kill(cluster: Cluster, folder: Path, rest: list[str]) -> None:
    rounds = int(rest[0]) if rest else 100
    chance = random.Random(20)
    root = folder / "web"
    _write(root, 0)
    publish(cluster.address(), root, folder / "cache")
    seen: set[str] = set()
    moved = 0
    for turn in range(1, rounds + 1):
        _write(root, turn)
        command = [
            sys.executable,
            "-c",
            _PUBLISH,
            cluster.address(),
            str(root),
            str(folder / "cache"),
        ]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(chance.random() * 0.3)
        kills_server = turn % 5 == 0
        if kills_server:
            cluster.kill()
            process.wait()
            _restart(cluster)
        else:
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
        with Organisation.open(cluster.address()) as organisation:
            answer = Asking(organisation).ask("turn_of_this_file", 2 * _FILES)
        texts = {one.lines for one in answer.places}
        if len(answer.places) != _FILES or len(texts) != 1 or answer.notes:
            raise SystemExit(f"Round {turn}: a half generation was seen.")
        (text,) = texts
        moved += text[0] not in seen
        seen.add(text[0])
    print(f"{rounds} rounds, {rounds // 5} of them the server: no half generation;"
          f" {moved} publications were through before the kill")  # fmt: skip


def timing(cluster: Cluster, folder: Path, rest: list[str]) -> None:
    pairs = int(rest[0]) if rest else 1000
    chance = random.Random(4)
    # Words of letters alone: those of a language have others for the same thing, some more of them.
    made = ["".join(chance.choices("bdfgklmnprstvz", k=9)) for _ in range(400)]
    words = {True: made[:200], False: made[200:]}
    seen, unseen = folder / "seen", folder / "unseen"
    _write(seen, 0)
    _write(unseen, 0, extra="".join(f"def {word}(): pass\n" for word in words[True]))
    with Organisation.open(cluster.address()) as organisation, organisation.writing() as conn:
        conn.execute("CREATE ROLE alice LOGIN")
        conn.execute("GRANT scope_reader TO alice")
    publish(cluster.address(), seen, folder / "cache", "alice")
    publish(cluster.address(), unseen, folder / "cache")
    times: dict[bool, list[float]] = {True: [], False: []}
    with Organisation.open(cluster.address(user="alice")) as organisation:
        asking = Asking(organisation)
        for n in range(pairs + 20):
            # Words of the same length, of which only one stands in what is not seen.
            for matches in chance.sample([True, False], 2):
                word = words[matches][n % 200]
                begun = time.perf_counter()
                asking.ask(f"turn of {word}")
                if n >= 20:  # the first ones fill caches
                    times[matches].append(time.perf_counter() - begun)
    distance = _ks(times[True], times[False])
    root = math.sqrt(pairs / 2)
    x = (root + 0.12 + 0.11 / root) * distance
    p = 2 * sum((-1) ** (k - 1) * math.exp(-2 * k * k * x * x) for k in range(1, 101))
    print(f"{pairs} pairs: medians {statistics.median(times[True]) * 1000:.2f} and"
          f" {statistics.median(times[False]) * 1000:.2f} ms, KS distance {distance:.4f},"
          f" p = {min(max(p, 0), 1):.3f}")  # fmt: skip


def _ks(one: list[float], other: list[float]) -> float:
    """Return the largest difference of two distributions."""
    merged = sorted([(value, True) for value in one] + [(value, False) for value in other])
    below = {True: 0, False: 0}
    most = 0.0
    for _, which in merged:
        below[which] += 1
        most = max(most, abs(below[True] / len(one) - below[False] / len(other)))
    return most


def _write(root: Path, turn: int, extra: str = "") -> None:
    root.mkdir(parents=True, exist_ok=True)
    for n in range(_FILES):
        text = f"def turn_of_this_file(): return {turn}\n{extra}"
        (root / f"m{n}.py").write_text(text)
    committed(root)


def committed(root: Path) -> Path:
    """Return a folder as a repository whose commit is what lies in it."""
    git = ["git", "-c", "user.name=b", "-c", "user.email=b@localhost", "-c", "commit.gpgsign=false"]
    if not (root / ".git").exists():
        subprocess.run([*git, "init", "-q", "-b", "main"], cwd=root, check=True)
    subprocess.run([*git, "add", "-A"], cwd=root, check=True)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "b"], cwd=root, check=True)
    return root


def _restart(cluster: Cluster) -> None:
    for _ in range(50):
        try:
            cluster.start()
            with Organisation.open(cluster.address()) as organisation, organisation.reading():
                return
        except (AssertionError, ScopeError):
            time.sleep(0.2)
    raise SystemExit("The server does not start again.")


def processor_s() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def part(values: list[float], part: float) -> float:
    return sorted(values)[int(len(values) * part)]


if __name__ == "__main__":
    main()
