"""Questions to an index of 100,000 repositories, simulated: `python -m benchmarks.org_simulation`.

Servers hold a share of the repositories each, as Citus or a partition a server would. A question
asks each of them for the summaries of its share, at the same time; who asks chooses among them, and
then looks into twenty repositories, each on the server that has it. Questions come at random
(Poisson) and wait for a free core, first come first served; who asks has a machine of its own. The
constants were measured over 2,000 repositories of 300,000 files (``benchmarks.org_scale``).
"""

from __future__ import annotations

import heapq
import random
import statistics

CHOOSING_S = 0.0000073
"""Processor time of a server for the summaries of one visible repository."""
LOOKING_S = 0.0021
"""Processor time of a server for the rows of one repository that is looked at."""
CLIENT_CHOOSING_S, CLIENT_S = 0.000035, 0.16
"""Processor time of who asks: for the summaries of one visible repository, and for the rest."""
LOOKED_AT = 20
ROWS_A_FILE, BYTES_A_FILE = 78, 31_000
FILES_A_REPOSITORY = 500


def waited(
    repositories: int, servers: int, cores: int, rate: float, n: int = 2_000, seed: int = 20
) -> list[float]:
    """Return how long each of ``n`` questions took, in seconds.

    Args:
        repositories: Those that one login sees.
        servers: Each holds the same share of them.
        cores: Of each server; a part of a question runs on one.
        rate: Questions a second.
        n: Questions.
        seed: Of chance.
    """
    chance = random.Random(seed)
    free = [[0.0] * cores for _ in range(servers)]
    ready: list[tuple[float, int, int, float]] = []
    """Parts of questions: from when on, of which question, on which server, how much work."""
    share = repositories / servers * CHOOSING_S
    asked: list[float] = []
    for question in range(n):
        asked.append((asked[-1] if asked else 0.0) + chance.expovariate(rate))
        ready += [(asked[-1], question, server, share) for server in range(servers)]
    heapq.heapify(ready)
    left, ended = [servers + LOOKED_AT] * n, asked[:]
    while ready:
        at, question, server, work = heapq.heappop(ready)
        ends = max(at, heapq.heappop(free[server])) + work * chance.lognormvariate(0, 0.3)
        heapq.heappush(free[server], ends)
        left[question] -= 1
        ended[question] = max(ended[question], ends)
        if left[question] == LOOKED_AT:
            chosen = ended[question] + repositories * CLIENT_CHOOSING_S
            for _ in range(LOOKED_AT):
                part = (chosen, question, chance.randrange(servers), LOOKING_S)
                heapq.heappush(ready, part)
    return [end - begun + CLIENT_S for begun, end in zip(asked, ended, strict=True)]


def main() -> None:
    print("repositories | servers of 8 cores | questions a second | p50 s | p95 s | GB | rows")
    for repositories, servers, rate in (
        (600, 1, 2), (2_000, 1, 2), (2_000, 1, 20), (20_000, 1, 10),
        (100_000, 1, 1), (100_000, 4, 10), (100_000, 16, 10),
    ):  # fmt: skip
        times = sorted(waited(repositories, servers, 8, rate))
        files = repositories * FILES_A_REPOSITORY
        p95 = times[int(0.95 * len(times))]
        size, rows = files * BYTES_A_FILE / 1e9, files * ROWS_A_FILE / 1e6
        print(f"{repositories} | {servers} | {rate} | {statistics.median(times):.2f} | {p95:.2f} |"
              f" {size:.0f} | {rows:.0f} million")  # fmt: skip


if __name__ == "__main__":
    main()
