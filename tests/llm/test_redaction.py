"""Ten kinds of planted keys are struck out, ordinary code is not, and lines stay where they are."""

from __future__ import annotations

import json

import pytest

from analysis.llm.audit import AuditLog
from analysis.llm.chat_model import ModelFacts
from analysis.llm.messages import Usage
from analysis.llm.redact import redacted
from analysis.llm.secret_files import is_secret_file
from tests.fakes.canaries import CANARIES, PRIVATE_KEY


@pytest.mark.parametrize("kind", CANARIES)
@pytest.mark.parametrize(
    "around",
    [
        "api = '{}'",
        "KEY={}\nOTHER=1",
        '{{"cells": [{{"source": "k = \\"{}\\""}}]}}',
        "git remote add origin https://bot:{}@git.test/x.git",
        "  12 | send('{}')",
        "docs/{}/readme.md",
    ],
)
def test_keys_are_struck_out(kind: str, around: str):
    canary = CANARIES[kind]
    clean = redacted(around.format(canary))
    assert canary not in clean.text
    assert "[redacted: " in clean.text
    assert clean.kinds


def test_a_private_key_goes_and_its_lines_stay():
    text = f"a = 1\nKEY = '''{PRIVATE_KEY}'''\nb = 2\n"
    clean = redacted(text)
    assert clean.text.count("\n") == text.count("\n")
    assert clean.text.splitlines()[-1] == "b = 2"
    assert not any(line in clean.text for line in PRIVATE_KEY.splitlines()[1:-1])


def test_the_rest_of_a_key_without_its_beginning_goes():
    numbered = "".join(
        f"{n}| {line}\n" for n, line in enumerate(PRIVATE_KEY.splitlines()[2:], start=7)
    )
    clean = redacted(f"5| x\n{numbered}").text
    assert not any(line in clean for line in PRIVATE_KEY.splitlines()[2:-1])


def test_random_values_behind_telling_names_go():
    aws = "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5zA7b"
    text = f'db_password: "kJ8#xQ2$vL9z!mN4pR7t"\nAWS_SECRET_ACCESS_KEY={aws}\n'
    clean = redacted(text).text
    assert clean == 'db_password: "[redacted: secret value]"\n' + (
        "AWS_SECRET_ACCESS_KEY=[redacted: secret value]\n"
    )


ORDINARY = """
token = request.headers.get("Authorization")
password_validators = "django.contrib.auth.password_validation.MinimumLengthValidator"
api_key = os.environ["OPENAI_API_KEY"]
secret_name = "projects/my-project/secrets/db-password"
credentials: HTTPAuthorizationCredentials = Depends(security)
csrf_token = get_token_from_request_or_header_v2(request)
DATABASE_URL = "postgres://user:password@localhost/db"
url = f"https://{user}:{password}@{host}"
sha256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
integrity = "sha512-z8GJr6nB9RkRs0HcyMYZmOOqAEMf1JBUH3lwEoJ1uxJ1h2Wq5R8Tm0yYpN2lZ8qv1w=="
id: 123e4567-e89b-12d3-a456-426614174000
access_key_id = settings.access_key_id
"""


def test_a_header_with_a_value_beyond_ascii_is_read_like_any_other():
    text = 'headers = {"Authorization": "Basic «user:password»"}\n'
    assert redacted(text).text == text


def test_ordinary_code_is_left_alone():
    assert redacted(ORDINARY).kinds == ()


@pytest.mark.parametrize(
    ("path", "secret"),
    [
        (".env", True),
        ("deploy/.env.production", True),
        (".env.example", False),
        ("a/b/prod.env", True),
        (".ssh/config", True),
        ("certs/server.pem", True),
        ("id_ed25519", True),
        ("id_ed25519.pub", False),
        (".npmrc", True),
        ("credentials", True),
        ("src/credentials.py", False),
        ("secrets.yaml", True),
        ("secrets.py", False),
        ("terraform.tfvars", True),
        ("environment.py", False),
        ("keys.ts", False),
    ],
)
def test_files_that_hold_secrets_by_their_purpose(path: str, secret: bool):
    assert is_secret_file(path) is secret


def test_the_audit_log_holds_a_line_a_call(tmp_path):
    log = AuditLog(tmp_path)
    facts = ModelFacts("openai/test", "api.test")
    log.note(facts, "synthesis", Usage(10, 2), {"b.py", "a.py"}, "stop")
    log.note(facts, "synthesis", None, (), "failed")
    text = (tmp_path / ".scope/audit.jsonl").read_text()
    lines = [json.loads(line) for line in text.splitlines()]
    assert [line["outcome"] for line in lines] == ["stop", "failed"]
    assert lines[0]["files"] == ["a.py", "b.py"]
    assert lines[0]["host"] == "api.test"
    assert (tmp_path / ".scope/.gitignore").read_text() == "*\n"


def test_the_audit_log_follows_no_link(tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    root = tmp_path / "root"
    root.mkdir()
    (root / ".scope").symlink_to(outside)
    log = AuditLog(root)
    log.note(ModelFacts("m", "h"), "x", None, (), "stop")
    assert list(outside.iterdir()) == []
    assert "link" in log.trouble
