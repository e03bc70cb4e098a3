"""Which files are tests, told from their paths alone."""

from __future__ import annotations

import re
from functools import lru_cache

# Folders anywhere in a path; names are in lower case.
TEST_FOLDERS = frozenset(
    {"test", "tests", "testing", "__tests__", "__mocks__", "testdata", "test-data", "e2e"}
    | {"fixtures", "fixture", "testsuite", "unittests", "testutil", "testutils", "test_utils"}
    | {"mocks", "snapshots", "__snapshots__"}
)
# Folders that hold tests only at the top: deeper they are often source.
TOP_TEST_FOLDERS = frozenset({"spec", "specs", "t"})
TEST_NAME = re.compile(
    r"(?:^test_|^tests?\.|_tests?\.|_spec\.|[.-](?:test|spec|e2e|stories)\.|^conftest\.|"
    r"^bench_|_bench\.|[.-]bench\.|^mock_|(?<=[a-z])(?:Tests?|Spec|Benchmark)\.[a-z]+$)"
)
# One of these stands in each such name; to look for them is faster.
_IN_TEST_NAME = ("test", "spec", "e2e", "stories", "ench", "mock")


@lru_cache(maxsize=65_536)
def is_test_file(path: str) -> bool:
    """Return whether a file is a test, or stands beside tests to serve them.

    >>> [is_test_file(path) for path in ("pkg/tests/util.py", "src/app.spec.ts", "src/app.ts")]
    [True, True, False]
    """
    *folders, name = path.split("/")
    lower = [folder.lower() for folder in folders]
    if lower and lower[0] in TOP_TEST_FOLDERS:
        return True
    return not TEST_FOLDERS.isdisjoint(lower) or is_test_name(name)


def is_test_name(name: str) -> bool:
    """Return whether a file's name alone says that it is a test.

    >>> is_test_name("test_app.py"), is_test_name("latest.py")
    (True, False)
    """
    lower = name.lower()
    return any(part in lower for part in _IN_TEST_NAME) and TEST_NAME.search(name) is not None
