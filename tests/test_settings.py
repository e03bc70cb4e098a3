from analysis.settings import Settings, settings_from


def test_bad_values_are_reported_and_ignored():
    settings, problems = settings_from(
        {"index": {"workers": "many", "cacheDir": "/tmp/x"}, "answer": 3, "unknown": 1}
    )
    assert settings.index.cache_dir == "/tmp/x"
    assert settings.index.workers == Settings().index.workers
    assert settings.answer == Settings().answer
    assert [p.split(" was ")[0] for p in problems] == [
        "Setting 'index.workers'",
        "Setting 'answer'",
        "Setting 'unknown'",
    ]


def test_wire_and_python_names_are_both_read():
    by_wire, _ = settings_from({"workspace": {"maxFileKb": 7}})
    by_name, _ = settings_from({"workspace": {"max_file_kb": 7}})
    assert by_wire == by_name
    assert by_wire.workspace.max_file_kb == 7


def test_a_wrong_item_does_not_make_a_list_longer():
    raw = {"allowed_scopes": ["input", "work", "workspace", 3], "approval": "perhaps"}
    settings, problems = settings_from(raw)
    assert settings.allowed_scopes == ["input", "workspace"]
    assert settings.approval == "never"
    named = [problem.partition(" was ignored")[0] for problem in problems]
    assert named == [
        "Setting 'allowed_scopes.1'",
        "Setting 'allowed_scopes.3'",
        "Setting 'approval'",
    ]
