from pathlib import Path

import pytest

from analysis.cli.settings_sources import load_settings


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    (tmp_path / "repo").mkdir()
    return tmp_path / "repo"


def write(repo: Path, *, user: str = "", repository: str = "") -> None:
    config = repo.parent / "config" / "scope"
    config.mkdir(parents=True, exist_ok=True)
    (config / "config.toml").write_text(user, "utf-8")
    (repo / "pyproject.toml").write_text(repository, "utf-8")


def test_later_sources_win(repo: Path):
    write(
        repo,
        user="[answer]\ntop_k = 1\n[index]\nworkers = 1\n[workspace]\nmax_file_kb = 1",
        repository="[tool.scope]\nanswer.top_k = 2\nindex.workers = 2\n",
    )
    loaded = load_settings(repo, {"SCOPE_ANSWER_TOP_K": "3"}, {"answer": {"top_k": 4}})
    assert loaded.problems == ()
    assert loaded.settings.answer.top_k == 4
    assert loaded.settings.index.workers == 2
    assert loaded.settings.workspace.max_file_kb == 1
    assert load_settings(repo, {"SCOPE_ANSWER_TOP_K": "3"}).settings.answer.top_k == 3


def test_a_repository_sets_harmless_things_only(repo: Path):
    write(
        repo,
        repository="[tool.scope.index]\ncacheDir = '/tmp/x'\nworkers = 2\n"
        "[tool.scope.answer]\noutput_dir = '/tmp/y'\n"
        "[tool.scope.workspace]\ninclude_ignored = ['.env']\n",
    )
    loaded = load_settings(repo, {})
    assert loaded.settings.index.cache_dir is None
    assert loaded.settings.answer.output_dir is None
    assert loaded.settings.workspace.include_ignored == []
    assert loaded.settings.index.workers == 2
    assert [problem.split("'")[1] for problem in loaded.problems] == [
        "index.cacheDir",
        "answer.output_dir",
        "workspace.include_ignored",
    ]


@pytest.mark.parametrize(
    ("text", "globs"),
    [("a/*, b", ["a/*", "b"]), ('["x,y"]', ["x,y"]), ("[ab]*.py", ["[ab]*.py"]), ("", [])],
)
def test_lists_in_variables(repo: Path, text: str, globs: list[str]):
    loaded = load_settings(repo, {"SCOPE_WORKSPACE_INCLUDE_IGNORED": text})
    assert loaded.settings.workspace.include_ignored == globs


@pytest.mark.parametrize(
    ("user", "repository"),
    [("[answer", ""), ("", "[tool"), ("answer.top_k = 0", ""), ("", "tool.scope.answer = 3")],
)
def test_what_is_wrong_is_said_and_ignored(repo: Path, user: str, repository: str):
    write(repo, user=user, repository=repository)
    loaded = load_settings(repo, {})
    assert len(loaded.problems) == 1
    assert loaded.settings.answer.top_k == 20


def test_a_link_out_of_the_repository_is_not_read(repo: Path):
    outside = repo.parent / "outside.toml"
    outside.write_text("[tool.scope.answer]\ntop_k = 7\n", "utf-8")
    (repo / "pyproject.toml").symlink_to(outside)
    assert load_settings(repo, {}).settings.answer.top_k == 20
