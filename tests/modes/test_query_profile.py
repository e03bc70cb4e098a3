"""What the rules make of questions as people ask them."""

from __future__ import annotations

import pytest

from analysis.modes.query_profile import profile

QUESTIONS = """
simple  locate  Where is the session cookie signed?
simple  locate  Where are database migrations applied?
simple  locate  Which file defines the CLI entry point?
simple  locate  In which module is the retry policy configured?
simple  locate  Who calls `Session.send`?
simple  locate  Which functions use parse_header?
simple  locate  Find the code that validates JWT tokens
simple  locate  Where do we use RateLimiter?
simple  locate  What class handles file uploads?
simple  locate  Where does the app read its configuration from?
simple  locate  Show me the function that hashes passwords
simple  explain What is `OrderBook`?
simple  explain Explain AppContext
simple  explain What does flush_cache do?
simple  explain How does authentication work?
medium  explain How are template filters registered?
medium  explain How is response streaming implemented?
medium  explain Describe the plugin system
medium  explain What is the difference between a request and an application context?
medium  explain How does the scheduler pick the next job to run when two jobs have the same priority?
medium  explain How does the cache decide which entries to evict?
medium  explain Explain how errors are handled
medium  explain How are exceptions turned into responses?
medium  explain How do I add a new subcommand?
medium  flow    What happens when a view raises an exception?
medium  flow    How does a request get to the right view function?
medium  flow    Trace a login from the form to the database
medium  flow    How does a query set become SQL?
medium  flow    Walk me through the start-up of the server
medium  flow    What happens between receiving a message and acknowledging it?
medium  flow    In what order are the middlewares run?
medium  flow    How does a keystroke reach the renderer?
medium  debug   Why does login fail after a password reset?
medium  debug   Why is the response returned twice?
medium  debug   Why do I get a KeyError in load_settings?
medium  debug   The upload is broken and returns 500
medium  debug   Why does `connect()` not time out?
medium  debug   Fix the crash in the CSV importer
medium  debug   Why is the index never rebuilt?
complex explain Give me an overview of the architecture and how the layers interact, and explain the plugin API
complex explain How does authentication work, how are permissions checked and where are sessions kept?
complex explain How do all the storage backends differ, and what would it take to add another one to the system?
complex flow    What is the life cycle of a request across the whole application?
complex flow    Trace an order from the basket to the invoice, and explain how refunds work
complex flow    What happens when a node fails, and how do the others find out?
complex flow    How does data flow from the sensors to the dashboard, where is it stored and who cleans it up?
complex debug   Why does the worker hang? Where is the lock taken, and how should it be released?
complex debug   Why are events lost across all consumers after a restart of the broker in the middle of a batch?
"""  # noqa: E501 - a question is a line
CASES = [tuple(line.split(maxsplit=2)) for line in QUESTIONS.strip().splitlines()]


@pytest.mark.parametrize(("level", "kind", "question"), CASES)
def test_questions(level: str, kind: str, question: str):
    found = profile(question)
    assert (found.level, found.query_type) == (level, kind), found


def test_the_table_holds_each_type_and_level():
    assert len(CASES) >= 40
    assert {level for level, _, _ in CASES} == {"simple", "medium", "complex"}
    assert {kind for _, kind, _ in CASES} == {"locate", "explain", "flow", "debug"}


def test_what_was_pasted_behind_a_question_does_not_count():
    asked = profile("Where is the cookie signed?")
    pasted = profile("Where is the cookie signed?\n" + "raised from here to there\n" * 100_000)
    assert (pasted.query_type, asked.query_type) == ("locate", "locate")
    assert len(pasted.keywords) <= 12
