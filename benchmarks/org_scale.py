"""How an organisation's index does when it is large: `python -m benchmarks.org_scale`.

Publishes the repositories below the given folders and generated ones, on a server of its own in a
temporary folder, and says at each size: files a second, bytes a file, publication of one changed
file, time of a question over all repositories and of asking one after the other, and memory.

Parsing is the dear part, so that only ``--published`` repositories go the whole way; the others are
copies of their rows under numbers and names of their own, made in the database. For a question a
copy is as much work as what it was made from.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from analysis.org.asking import Asking
from analysis.org.migrating import migrate
from analysis.org.organisation import Organisation
from benchmarks.org import committed, part, processor_s, publish
from benchmarks.process_memory import tree_mb
from benchmarks.questions import load_questions
from benchmarks.synthetic import generate
from tests.org.cluster import Cluster

TABLES = ("contents", "members", "symbols", "segments", "postings", "identifiers", "summaries",
          "packages")  # fmt: skip
_QUESTIONS = 100
_ONE_BY_ONE = 40
"""Repositories that are asked one after the other; the rest would take as long each."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, action="append", default=[])
    parser.add_argument("--published", type=int, default=200)
    parser.add_argument("--files", type=int, default=30_000, help="of those that are published")
    parser.add_argument("--file-bytes", type=int, default=2_500)
    parser.add_argument("--sizes", type=int, nargs="+", default=[500, 1000, 2000])
    options = parser.parse_args()
    cluster = Cluster()
    try:
        with Organisation.open(cluster.address()) as organisation:
            migrate(organisation)
        with tempfile.TemporaryDirectory() as folder:
            first = _publish_all(cluster, Path(folder), options)
            _tell(size_now(cluster) | questions(cluster))
            for size in options.sizes:
                begun = time.perf_counter()
                multiply(cluster, size)
                _tell({"copied in": round(time.perf_counter() - begun)})
                _tell(size_now(cluster) | questions(cluster))
            _tell(one_changed_file(cluster, first, Path(folder)))
    finally:
        cluster.remove()


def _publish_all(cluster: Cluster, folder: Path, options: argparse.Namespace) -> Path:
    """Publish repositories; return the first generated one, which is kept."""
    chance = random.Random(20)
    roots = [path for top in options.folder for path in sorted(top.iterdir()) if path.is_dir()]
    sent = 0
    client, server, begun = processor_s(), server_s(cluster), time.perf_counter()
    for root in roots[: options.published]:
        sent += publish(cluster.address(), committed(root), folder / "cache")
    _tell({"packages": len(roots), "files": sent, **_rates(sent, client, server, begun, cluster)})
    _tell(size_now(cluster))
    rest = options.published - len(roots)
    shares = [chance.lognormvariate(0, 1) for _ in range(rest)]
    kept = folder / "generated0"
    generated = 0
    client, server, begun = 0.0, 0.0, 0.0
    for number, share in enumerate(shares):
        root = folder / f"generated{number}"
        n_files = max(3, round((options.files - sent) * share / sum(shares)))
        generate(root, n_files, options.file_bytes, seed=number)
        committed(root)
        before = processor_s(), server_s(cluster), time.perf_counter()
        generated += publish(cluster.address(), root, folder / "cache")
        client += processor_s() - before[0]
        server += server_s(cluster) - before[1]
        begun += time.perf_counter() - before[2]
        if root != kept:
            shutil.rmtree(root)
            shutil.rmtree(folder / "cache")
        if number % 20 == 19:
            _tell({"generated": number + 1, "files": generated, "client s": round(client, 1),
                   "server s": round(server, 1), "wall s": round(begun, 1)})  # fmt: skip
    return kept


def _rates(
    files: int, client: float, server: float, begun: float, cluster: Cluster
) -> dict[str, float]:
    return {
        "client s": round(processor_s() - client, 1),
        "server s": round(server_s(cluster) - server, 1),
        "wall s": round(time.perf_counter() - begun, 1),
        "files a processor second": round(
            files / max(processor_s() - client + server_s(cluster) - server, 0.01), 1
        ),
    }


def multiply(cluster: Cluster, size: int) -> None:
    """Copy repositories within the database until there are so many; indexes are made at the end.

    Their bytes a file are less than those of rows that came one publication after the other.
    """
    chance = random.Random(size)
    with Organisation.open(cluster.address()) as organisation, organisation.writing() as conn:
        known = conn.execute("SELECT id, name FROM scope.repositories ORDER BY name").fetchall()
        made_from = [one for one in known if not one[1].startswith("copy")]
        others = chance.sample(range(2**31), size - len(known))
        conn.execute("CREATE TEMPORARY TABLE made (repo int, other int, name text) ON COMMIT DROP")
        for number, other in enumerate(others, len(known)):
            repo, name = made_from[number % len(made_from)]
            row = (repo, other, f"copy{number}/{name}")
            conn.execute("INSERT INTO made VALUES (%s, %s, %s)", row)
        conn.execute("SET LOCAL maintenance_work_mem = '512MB'")
        indexes = conn.execute(
            "SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid)"
            " FROM pg_constraint WHERE contype IN ('p', 'u') AND conparentid = 0"
            " AND conrelid IN (SELECT partrelid FROM pg_partitioned_table)"
        ).fetchall()
        for table, name, _ in indexes:
            conn.execute(f"ALTER TABLE {table} DROP CONSTRAINT {name}")
        conn.execute("DROP INDEX scope.symbols_by_name")
        for table in ("repositories", *TABLES, "heads"):
            key = "id" if table == "repositories" else "repo"
            found = conn.execute(
                "SELECT attname FROM pg_attribute WHERE attrelid = %s::regclass"
                " AND attnum > 0 AND NOT attisdropped ORDER BY attnum",
                (f"scope.{table}",),
            )
            columns = [column for (column,) in found]
            values = ["m.other" if column == key else f"t.{column}" for column in columns]
            if table == "repositories":
                values[columns.index("name")] = "m.name"
            conn.execute(
                f"INSERT INTO scope.{table} ({', '.join(columns)}) SELECT {', '.join(values)}"
                f" FROM scope.{table} t JOIN made m ON m.repo = t.{key}"
            )
        for table, name, definition in indexes:
            conn.execute(f"ALTER TABLE {table} ADD CONSTRAINT {name} {definition}")
        conn.execute("CREATE INDEX symbols_by_name ON scope.symbols (repo, name)")


def size_now(cluster: Cluster) -> dict[str, object]:
    """Return rows and bytes of all tables."""
    with Organisation.open(cluster.address()) as organisation, organisation.writing() as conn:
        found: dict[str, object] = {}
        total = 0
        repos, files, chunks = conn.execute(
            "SELECT count(*), sum(n_files), sum(n_chunks) FROM scope.heads"
        ).fetchone() or (0, 0, 0)
        for table in TABLES:
            rows, size = conn.execute(
                f"SELECT (SELECT count(*) FROM scope.{table}), sum(pg_total_relation_size(relid))"
                f" FROM pg_partition_tree('scope.{table}')"
            ).fetchone() or (0, 0)
            found[table] = f"{rows} rows, {int(size) / 1e6:.1f} MB"
            total += int(size)
    files = int(files)
    return {"repositories": repos, "files": files, "chunks": int(chunks), **found,
            "MB": round(total / 1e6), "bytes a file": total // max(files, 1)}  # fmt: skip


def questions(cluster: Cluster) -> dict[str, object]:
    """Return how long questions take over all repositories, and one after the other."""
    asked = random.Random(1).sample([q["query"] for q in load_questions()], _QUESTIONS)
    with Organisation.open(cluster.address()) as organisation:
        with organisation.writing() as conn:
            conn.execute("ANALYZE")
        asking = Asking(organisation)
        names = [one.head.name for one in asking.ask(asked[0]).chosen]
        for question in asked[:10]:
            asking.ask(question)
        before = server_s(cluster)
        walls, ours = _times(lambda question: asking.ask(question), asked)
        server = (server_s(cluster) - before) / len(asked)
        memory, at_server = tree_mb_of_this(), server_mb(cluster)
        with organisation.reading() as conn:
            rows = conn.execute("SELECT name FROM scope.repositories ORDER BY id LIMIT 2000")
            names = [name for (name,) in rows]
        chosen = random.Random(2).sample(names, min(_ONE_BY_ONE, len(names)))
        begun, spent = time.perf_counter(), processor_s()
        for name in chosen:
            asking.ask(asked[1], 10, name)
        each = (time.perf_counter() - begun) / len(chosen)
        each_spent = (processor_s() - spent) / len(chosen)
    return {
        "question p50 s": round(part(walls, 0.5), 3), "p95 s": round(part(walls, 0.95), 3),
        "client's processor p50 s": round(part(ours, 0.5), 3),
        "client's p95 s": round(part(ours, 0.95), 3),
        "server's processor, mean s": round(server, 3),
        "one after the other, s": round(each * len(names), 1),
        "of that the client's processor, s": round(each_spent * len(names), 1),
        "client MB": round(memory), "server MB": round(at_server),
        "load": Path("/proc/loadavg").read_text().split()[0],
    }  # fmt: skip


def _times(ask: Callable[[str], Any], asked: list[str]) -> tuple[list[float], list[float]]:
    walls: list[float] = []
    ours: list[float] = []
    for question in asked:
        begun, spent = time.perf_counter(), processor_s()
        ask(question)
        walls.append(time.perf_counter() - begun)
        ours.append(processor_s() - spent)
    return walls, ours


def one_changed_file(cluster: Cluster, root: Path, folder: Path) -> dict[str, object]:
    """Publish one changed file some times over; return what that takes."""
    files = [path for path in sorted(root.rglob("*.*")) if ".git" not in path.parts]
    publish(cluster.address(), root, folder / "cache")
    walls: list[float] = []
    ours: list[float] = []
    at_server: list[float] = []
    for number in range(5):
        with files[number].open("a") as stream:
            stream.write(f"\nchanged_in_round = {number}\n")
        committed(root)
        before = server_s(cluster)
        begun, spent = time.perf_counter(), processor_s()
        sent = publish(cluster.address(), root, folder / "cache")
        assert sent == 1
        walls.append(time.perf_counter() - begun)
        ours.append(processor_s() - spent)
        at_server.append(server_s(cluster) - before)
    return {"one changed file of": len(files), "wall s": round(statistics.median(walls), 2),
            "client's processor s": round(statistics.median(ours), 2),
            "server's processor s": round(statistics.median(at_server), 2)}  # fmt: skip


def server_s(cluster: Cluster) -> float:
    """Return the processor time of the server and of all that it has started."""
    total = 0.0
    pid = cluster.pid
    for each in (pid, *_children(pid)):
        try:
            fields = Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()
        except OSError:  # it has just ended
            continue
        total += sum(map(int, fields[11:15] if each == pid else fields[11:13])) / 100
    return total


def server_mb(cluster: Cluster) -> float:
    """Return the memory of the server, each page counted once (PSS)."""
    total = 0
    for each in (cluster.pid, *_children(cluster.pid)):
        for line in Path(f"/proc/{each}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                total += int(line.split()[1])
    return total / 1024


def tree_mb_of_this() -> float:
    """Return the memory of this process."""
    import os

    return tree_mb(os.getpid())


def _children(pid: int) -> list[int]:
    return [int(c) for c in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def _tell(found: dict[str, Any]) -> None:
    print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
