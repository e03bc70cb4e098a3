import json
from pathlib import Path

import pytest
import toon_format

from analysis.tokens import text_tokens
from tests.cli.program import call

FIELDS = [
    "path", "line_start", "line_end", "symbol", "kind", "signature", "score", "reasons",
    "registered",
]  # fmt: skip


def analyze(repo: Path, *args: str):
    done = call("analyze", *args, "--format", "json", cwd=repo)
    assert done.code == 0, done.err
    return done.json


@pytest.mark.parametrize("query", ["How does authentication work?", "authenticate", "Login"])
def test_the_place_is_found(repo: Path, query: str):
    found = analyze(repo, "--query", query)
    assert found["query"] == query
    first = found["hits"][0]
    assert list(first) == FIELDS
    assert first["path"] == "shop/auth.py"
    assert first["reasons"]
    assert found["searched"] == {"files": 4, "skipped": {}}


@pytest.mark.parametrize("query", ["shop/auth.py", "auth.py", "./shop/auth.py"])
def test_a_file_is_skimmed(repo: Path, query: str):
    found = analyze(repo, "--query", query, "--include-code")
    assert [(hit["symbol"], hit["code"].split("\n")[0]) for hit in found["hits"]] == [
        ("Login", "class Login:"),
        ("Login.authenticate", "    def authenticate(self, name, password):"),
    ]
    assert found["hits"][0]["code"].endswith("... (4 more lines: 9-12)")


def test_all_files_of_one_name_are_meant(repo: Path):
    for folder in ("a", "b"):
        (repo / folder).mkdir()
        (repo / folder / "util.py").write_text(f"def help_{folder}(): pass\n", "utf-8")
    found = analyze(repo, "--query", "util.py")
    assert [hit["symbol"] for hit in found["hits"]] == ["help_a", "help_b"]


def test_what_is_not_shown_is_counted(repo: Path):
    found = analyze(repo, "--query", "shop/auth.py", "--top-k", "1")
    assert (len(found["hits"]), found["left_out"]) == (1, 1)
    text = call("analyze", "--query", "shop/auth.py", "--top-k", "1", cwd=repo).out
    assert "1 more not shown" in text


@pytest.mark.parametrize("output_format", ["json", "toon", "text"])
@pytest.mark.parametrize("max_tokens", [200, 400, 1000])
def test_a_token_budget_is_kept(repo: Path, output_format: str, max_tokens: int):
    body = "".join(f"    total += {number}\n" for number in range(300))
    (repo / "big.py").write_text(
        "\n\n".join(f"def step_{n}(total):\n{body}    return total\n" for n in range(5)), "utf-8"
    )
    done = call(
        "analyze", "--query", "big.py", "--include-code", "--max-tokens", str(max_tokens),
        "--format", output_format, cwd=repo,
    )  # fmt: skip
    assert done.code == 0
    assert text_tokens(done.out) <= max_tokens
    assert "step_0" in done.out
    assert ("more lines" in done.out) == (max_tokens >= 400)


@pytest.mark.parametrize("output_format", ["json", "text", "toon"])
@pytest.mark.parametrize(("n_chars", "is_cut"), [(300, False), (1_200, True), (4_000, True)])
def test_a_very_long_line_is_cut(
    repo: Path, output_format: str, n_chars: int, is_cut: bool
) -> None:
    table = "0123456789" * (n_chars // 10)
    (repo / "tables.py").write_text(
        f"def zigzag_table(index):\n    table = '{table}'\n    return table[index]\n", "utf-8"
    )
    done = call(
        "analyze", "--query", "zigzag_table", "--include-code", "--format", output_format, cwd=repo
    )
    assert done.code == 0
    assert (table in "".join(done.out.split())) == (not is_cut)
    assert ("(line cut:" in done.out) == is_cut
    assert "return table[index]" in done.out


def test_toon_is_a_table_that_can_be_read_back(repo: Path):
    args = ("analyze", "--query", "shop/auth.py", "--include-code")
    done = call(*args, "--format", "toon", cwd=repo)
    assert (
        "hits[2]{path,line_start,line_end,symbol,kind,signature,score,reasons,registered,code}:"
        in done.out
    )
    expected = analyze(repo, *args[1:])
    for hit in expected["hits"]:
        hit["reasons"] = "; ".join(hit["reasons"])
        hit["registered"] = "; ".join(hit["registered"])
    assert toon_format.decode(done.out) == json.loads(json.dumps(expected))


def test_filters(repo: Path):
    (repo / "login.js").write_text("export function login() {}\n", "utf-8")
    assert {
        hit["path"] for hit in analyze(repo, "--query", "login", "--lang", "python")["hits"]
    } == {"shop/auth.py"}
    assert {hit["path"] for hit in analyze(repo, "--query", "login", "--path", "*.js")["hits"]} == {
        "login.js"
    }


def test_text_explains_when_asked(repo: Path):
    plain = call("analyze", "--query", "login", cwd=repo).out
    explained = call("analyze", "--query", "login", "--explain", cwd=repo).out
    assert plain.split("\n")[0] == explained.split("\n")[0]
    assert len(plain) < len(explained)
    assert "shop/auth.py:" in plain


def test_the_first_hits_say_where_they_are_registered(repo: Path):
    (repo / "shop" / "pages.py").write_text(
        "app = App()\n\n\n@app.route('/basket')\ndef show_basket():\n    return basket\n", "utf-8"
    )
    first = analyze(repo, "--query", "show_basket")["hits"][0]
    assert first["registered"] == ["registered as `/basket` by `@app.route` at shop/pages.py:4"]
    text = call("analyze", "--query", "show_basket", cwd=repo).out
    assert "registered as `/basket` by `@app.route` at shop/pages.py:4" in text
    table = call("analyze", "--query", "show_basket", "--format", "toon", cwd=repo).out
    assert toon_format.decode(table)["hits"][0]["registered"] == first["registered"][0]
