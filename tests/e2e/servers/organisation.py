"""An organisation for the scenarios: a PostgreSQL of its own with two repositories in it.

usage: python organisation.py FOLDER

Writes a service file into the folder, says "ready", and ends with its standard input.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import psycopg

from analysis.org.migrating import migrate
from analysis.org.organisation import Organisation
from analysis.org.publishing import Publisher
from analysis.settings import Settings
from tests.org.cluster import Cluster
from tests.org.conftest import git, repository

RETRY = '''"""Payments that did not go through are tried again."""


def retry_payment(charge, times):
    """Charge once more after a failure, at most so many times."""
    for attempt in range(times):
        try:
            return charge()
        except ConnectionError:
            if attempt == times - 1:
                raise
'''
QUEUE = '''"""What is to be done later, such as a payment that is to be retried."""


class RetryQueue:
    """Keeps failed payments until the next attempt to retry them."""

    def put_off(self, payment, seconds):
        """Retry a payment after so many seconds."""
        self.waiting.append((seconds, payment))
'''


def main(folder: Path) -> None:
    cluster = Cluster()
    try:
        with psycopg.connect(cluster.address(), autocommit=True) as admin:
            admin.execute("CREATE DATABASE acme")
        settings = Settings.model_validate({"index": {"cache_dir": str(folder / "cache")}})
        with Organisation.open(cluster.address("acme")) as organisation:
            migrate(organisation)
            for name, file, text in (
                ("payments", "payments/retry.py", RETRY),
                ("jobs", "jobs/queue.py", QUEUE),
            ):
                root = repository(folder / "published" / name, {file: text})
                git(root, "remote", "add", "origin", f"https://github.com/acme/{name}.git")
                publisher = Publisher(organisation, root, settings)
                publisher.refresh()
                publisher.publish()
                publisher.close()
        clone = folder / "clones" / "payments"
        subprocess.run(["git", "clone", "-q", folder / "published/payments", clone], check=True)
        git(clone, "remote", "set-url", "origin", "git@github.com:acme/payments.git")
        (folder / "pg_service.conf").write_text(
            f"[acme]\nhost={cluster.folder}\ndbname=acme\nuser=postgres\n"
        )
        print("ready", flush=True)
        sys.stdin.read()
    finally:
        cluster.remove()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
