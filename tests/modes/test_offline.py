from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from analysis.documents import indexed_code, parse_document
from analysis.documents.parts import count_states
from analysis.events import CandidatesFound, Notice
from analysis.models import Answer, AskRequest, Position, RefState
from analysis.modes import search_intent
from analysis.modes.question_kinds import used_name
from analysis.modes.writing import n_words
from analysis.stopping import StopFlag
from tests.support.shop import Shop, finished, open_shop, streamed


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    shop = open_shop(tmp_path_factory.mktemp("shop"))
    yield shop
    shop.index.close()


def section(markdown: str, title: str) -> str:
    match = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |^<!--)", markdown, re.M | re.S)
    assert match is not None, f"no section {title!r}"
    return match[1].strip()


def check_good(answer: Answer) -> None:
    """Every reference is right, and the document can be read back."""
    assert {ref.state for ref in answer.references} <= {RefState.OK}
    assert count_states(answer.references).sentence() in answer.markdown
    stored = [item.reference for item in parse_document(answer.markdown).references]
    assert {(r.path, r.line_start) for r in answer.references} <= {
        (r.path, r.line_start) for r in stored
    }


async def test_the_summary_follows_the_code(shop: Shop) -> None:
    answer = await shop.ask("How does checkout place an order and charge the card?")
    check_good(answer)
    summary = section(answer.markdown, "Summary")
    assert summary.index("`checkout`") < summary.index("`OrderBook.place_order`")
    assert "Turn the basket of a request into an order" in summary
    assert "`charge`" in summary
    assert n_words(summary) <= 150


async def test_arrows_stand_for_lines_of_the_code(shop: Shop) -> None:
    answer = await shop.ask("How does checkout place an order and charge the card?")
    body = section(answer.markdown, "How it fits together")
    assert "flowchart TD" in body
    assert "(../shop/web.py#L11): `order = order_book.place_order(request.basket)`" in body
    for line in re.findall(r"^- .*", body, re.M):
        path, number, code = re.search(r"\[(.+?):(\d+)\]\(.*\): `(.*)`", line).groups()  # type: ignore[union-attr]
        assert shop.files.read_lines(path, int(number), int(number)).strip() == code


async def test_excerpts_are_the_code(shop: Shop) -> None:
    answer = await shop.ask("How does checkout place an order and charge the card?")
    body = section(answer.markdown, "Relevant Code")
    code = shop.files.read_file("shop/payment.py")
    start = code.index("def charge")
    assert code[start : code.index("\n\n\ndef _send")] in body


async def test_the_stream_is_the_document(shop: Shop) -> None:
    events = await shop.events(AskRequest("Who charges the card?"))
    body = parse_document(finished(events).answer.markdown).body
    assert streamed(events).strip() == body.strip()


async def test_what_was_left_out_is_said(shop: Shop) -> None:
    answer = await shop.ask("How are orders placed?")
    assert "2 binary" in section(answer.markdown, "What was not looked at")


async def test_tests_and_documents_are_no_part_of_the_way(shop: Shop) -> None:
    answer = await shop.ask("How does checkout work?")
    assert "tests/test_web.py" not in {entry.path for entry in answer.path}
    assert "tests/test_web.py" in section(answer.markdown, "Key Files")


@pytest.mark.parametrize("question", ["How does it work?", "?!", "What is this about"])
async def test_without_keywords_the_tree_and_the_readme_answer(shop: Shop, question: str) -> None:
    answer = await shop.ask(question)
    check_good(answer)
    assert "holds no word" in section(answer.markdown, "Summary")
    assert "`shop/` - 4 files" in section(answer.markdown, "Layout")
    assert "Sells things." in section(answer.markdown, "What the README says")


async def test_what_the_readme_says_that_it_is_comes_first(tmp_path: Path) -> None:
    readme = (
        "# Shop\n\n[![b](http://b.test/x.svg)](http://b.test)\n\nShop is a [till](http://t.test)\n"
    )
    files = {
        "README.md": f"{readme}for all. Start it.\n",
        "app.py": "def project():\n    return 1\n",
    }
    shop = open_shop(tmp_path, files)
    answer = await shop.ask("What does this project do?")
    check_good(answer)
    summary = section(answer.markdown, "Summary")
    assert summary.startswith("The README says ([README.md:5-6](")
    assert "“Shop is a till for all”" in summary.partition("\n")[0]
    assert "svg" not in section(answer.markdown, "What the README says")
    other = await shop.ask("How do zeppelins quaffle?")
    assert "README says" not in section(other.markdown, "Summary")


async def test_words_that_occur_nowhere_are_named(shop: Shop) -> None:
    answer = await shop.ask("How do zeppelins quaffle?")
    assert "`zeppelins`" in section(answer.markdown, "Summary")


@pytest.mark.parametrize("question", ["注文はどう処理されますか", "Как работает оплата заказа?"])
async def test_questions_in_other_scripts_are_answered(tmp_path: Path, question: str) -> None:
    files = {
        "app.py": "def place():\n    # 注文 処理\n    return 1\n\n\n"
        "def pay():\n    # оплата заказа\n    return 2\n"
    }
    answer = await open_shop(tmp_path, files).ask(question)
    check_good(answer)
    assert any(ref.path == "app.py" for ref in answer.references)


async def test_a_cancelled_run_still_ends_with_a_document(shop: Shop) -> None:
    stop = StopFlag()
    stop.set()
    last = finished(await shop.events(AskRequest("How are orders placed?"), stop))
    assert last.stop_reason == "cancelled"
    assert "stop_reason: cancelled" in last.answer.markdown
    assert "was cancelled" in section(last.answer.markdown, "What was not looked at")


async def test_the_place_of_the_cursor_is_what_is_asked_about(shop: Shop) -> None:
    request = AskRequest("What does this do?", location=Position("shop/payment.py", 6))
    answer = finished(await shop.events(request)).answer
    check_good(answer)
    assert "`charge`" in section(answer.markdown, "Summary").split(".")[0]
    assert "`checkout` calls `charge`" in section(answer.markdown, "How it fits together")


async def test_a_follow_up_knows_the_earlier_answer(shop: Shop, tmp_path: Path) -> None:
    earlier = tmp_path / "earlier.md"
    first = await shop.ask("How does checkout charge the card?")
    earlier.write_text(first.markdown, encoding="utf-8")
    request = AskRequest("And why?", follow_up=str(earlier))
    answer = finished(await shop.events(request)).answer
    assert "`charge`" in section(answer.markdown, "Summary")
    lost = await shop.events(AskRequest("And orders?", follow_up=str(tmp_path / "absent.md")))
    assert any(isinstance(event, Notice) for event in lost)
    finished(lost)


ECHO = {
    "utils.py": 'def echo(message):\n    """Print a message."""\n    write(message)\n',
    "errors.py": (
        "from utils import echo\n\n\nclass EchoError:\n    def show_echo(self):\n"
        '        """Echo how it works."""\n        echo(self.echo_text())\n\n'
        "    def echo_text(self):\n        return 'echo'\n"
    ),
}


@pytest.mark.parametrize(
    ("more", "begins_at_echo"),
    [({}, True), ({"other.py": "def echo(x):\n    return x\n"}, False)],
)
async def test_how_a_name_works_is_answered_with_what_alone_has_it(
    more: dict[str, str], begins_at_echo: bool, tmp_path: Path
) -> None:
    shop = open_shop(tmp_path, ECHO | more)
    question = AskRequest("How does the function `echo()` work?")
    code = indexed_code(shop.index, shop.files.read)
    focus = search_intent.read(question, code).focus
    answer = finished(await shop.events(question)).answer
    shop.index.close()
    assert (focus is not None) is begins_at_echo
    if begins_at_echo:
        lead = section(answer.markdown, "Summary").split("](")[0]
        assert "`echo` ([utils.py:1-3" in lead
    check_good(answer)


@pytest.mark.parametrize(
    ("question", "missing"),
    [
        ("How does checkout place a kafka order?", "`kafka`"),
        (
            "How does checkout place an order by airship or zeppelin?",
            "`airship` and `zeppelin`",
        ),
        ("How does CheckOut charge the card?", ""),
        ("How are orders placed?", ""),
        ("How does checkout place an order and charge the card?", ""),
        ("What is in payment.py about check out?", ""),
    ],
)
async def test_words_that_the_code_does_not_hold_are_named(
    shop: Shop, question: str, missing: str
) -> None:
    answer = await shop.ask(question)
    summary = section(answer.markdown, "Summary")
    assert ("Not in the code" in summary) is bool(missing), summary
    assert summary.startswith(f"Not in the code: {missing}. What" if missing else "")
    check_good(answer)


@pytest.mark.parametrize(
    ("question", "meant"),
    [
        ("How does checkuot place an order?", "Did you mean `checkout` for `checkuot`?"),
        ("checkuot", "Did you mean `checkout` for `checkuot`?"),
        ("How does checkout place a zeppelin order?", None),
    ],
)
async def test_what_is_nearly_spelled_like_a_name_is_asked_for(
    shop: Shop, question: str, meant: str | None
) -> None:
    summary = section((await shop.ask(question)).markdown, "Summary")
    assert meant in summary if meant else "Did you mean" not in summary, summary


async def test_where_much_of_the_question_is_not_in_the_code_no_place_stands_out(
    shop: Shop,
) -> None:
    answer = await shop.ask("Where does the zeppelin checkout land its airship?")
    assert answer.fit is not None
    assert answer.fit.level == "weak"
    assert "No place stands out; the likeliest is" in section(answer.markdown, "Summary")


async def test_a_test_is_cited_as_a_whole_where_a_piece_of_it_was_found(tmp_path: Path) -> None:
    body = "".join(f"    step_{n} = {n}\n" for n in range(120))
    shop = open_shop(
        tmp_path,
        {
            "shop/refund.py": "def refund(card):\n    return card\n",
            "tests/test_refund.py": f"def test_refund():\n{body}    assert refund_card(refund)\n",
        },
    )
    answer = await shop.ask("How does refund work?")
    shop.index.close()
    tests = section(answer.markdown, "Key Files").partition("Tests:")[2]
    assert tests.strip().startswith("- [tests/test_refund.py:1-122]")
    check_good(answer)


async def test_it_in_a_follow_up_is_what_the_earlier_answer_cites_first(
    shop: Shop, tmp_path: Path
) -> None:
    earlier = tmp_path / "earlier.md"
    first = await shop.ask("What does `charge` do?")
    earlier.write_text(first.markdown, encoding="utf-8")
    assert first.references[0].symbol == "charge"
    for question in ("And who calls it?", "Where is this used?"):
        request = AskRequest(question, follow_up=str(earlier))
        answer = finished(await shop.events(request)).answer
        check_good(answer)
        assert "`charge`" in section(answer.markdown, "Summary"), question
        assert "## Relevant Code" not in answer.markdown
    alone = await shop.ask("And who calls it?")
    assert "`charge` is used" not in alone.markdown


async def test_uses_are_listed_with_a_word_on_completeness(shop: Shop) -> None:
    answer = await shop.ask("Who calls `charge`?")
    check_good(answer)
    assert "charge(request.card, order.total)" in answer.markdown
    summary = section(answer.markdown, "Summary")
    assert "These are all." in summary or "There may be more: " in summary


@pytest.mark.parametrize(
    ("path", "source", "said"),
    [
        ("a.py", "def pay():\n    pass\n\n\ndef buy():\n    pay()\n", "These are all."),
        (
            "a.py",
            "class Till:\n    def pay(self):\n        pass\n\n\ndef buy(it):\n    it.pay()\n",
            "There may be more: of some places it could not be decided whether they mean it.",
        ),
        (
            "a.go",
            "package a\n\nfunc pay() {}\n\nfunc buy() {\n\tpay()\n}\n",
            "There may be more: for Go it is not proven that no other name leads there.",
        ),
    ],
)
async def test_a_list_of_uses_says_what_keeps_it_from_being_whole(
    tmp_path: Path, path: str, source: str, said: str
) -> None:
    shop = open_shop(tmp_path, {path: source})
    answer = await shop.ask("Who uses `pay`?")
    shop.index.close()
    assert section(answer.markdown, "Summary").strip().endswith(said)


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Who uses Session.send?", "Session.send"),
        ("What calls `login()`?", "login"),
        ("Which functions call the function login?", "login"),
        ("Where is OrderBook used?", "OrderBook"),
        ("Find all references to charge", "charge"),
        ("usages of Foo::bar", "Foo.bar"),
        ("How is charge used to pay?", None),
        ("Who uses the card when the order is placed?", None),
    ],
)
def test_questions_for_uses_are_recognised(question: str, name: str | None) -> None:
    assert used_name(question) == name


async def test_candidates_are_events(shop: Shop) -> None:
    events = await shop.events(AskRequest("How are orders placed?"))
    assert any(isinstance(event, CandidatesFound) and event.candidates for event in events)


async def test_an_empty_code_base_has_an_answer(tmp_path: Path) -> None:
    answer = await open_shop(tmp_path, {}).ask("How does login work?")
    assert "This document refers to no code." in answer.markdown


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("", "What does orders.typed do?"),
        ("", "How are the orders typed?"),
        ("\n", "How are the orders typed?"),
        ("  \n\n\t\n", "Where is orders.typed?"),
        ("\ufeff", "How are the orders typed?"),
    ],
)
async def test_an_empty_file_is_never_cited(text: str, question: str, tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "orders.typed").write_text(text, encoding="utf-8")
    shop = open_shop(tmp_path)
    answer = await shop.ask(question)
    shop.index.close()
    assert answer.references
    assert "shop/orders.typed" not in [ref.path for ref in answer.references]
    assert "orders.typed:1" not in answer.markdown
