"""Logs: one line per event, nothing in it that belongs to people or opens doors."""

from __future__ import annotations

import io
import json
import logging
import re
from collections.abc import Callable, Iterator

import pytest

from bot.log import Format, incident, set_up

TELEGRAM = "123456789:AAF-abcdefghijklmnopqrstuvwxyz_12345"
DISCORD = "MTIzNDU2Nzg5MDEyMzQ1Njc4OQ.GhIjKl.abcdefghijklmnopqrstuvwxyz0123456789"

Start = Callable[..., io.StringIO]


@pytest.fixture
def start() -> Iterator[Start]:
    """Sets logging up as the program does, into a stream of the test."""
    root, ours = logging.getLogger(), logging.getLogger("bot")
    before = root.handlers[:], root.level, ours.level

    def begin(form: Format = "text", **settings: object) -> io.StringIO:
        stream = io.StringIO()
        set_up(form, stream=stream, **settings)  # type: ignore[arg-type]
        return stream

    yield begin
    root.handlers[:], level, ours_level = before
    root.setLevel(level)
    ours.setLevel(ours_level)
    logging.captureWarnings(False)


def raised(error: BaseException, cause: BaseException | None = None) -> BaseException:
    try:
        raise error from cause
    except BaseException as caught:  # noqa: BLE001 the test wants it
        return caught


def new_id() -> str:
    return "1abcdefghijkl"


def test_an_event_is_one_line_with_time_level_and_origin(start: Start) -> None:
    out = start()
    logging.getLogger("bot.store").info("%d updates wait", 3)
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ INFO    bot\.store: 3 updates wait\n", out.getvalue())


def test_an_event_for_programs_is_one_json_object_per_line(start: Start) -> None:
    out = start("json")
    logging.getLogger("bot.store").warning("место %s", "т")
    logging.getLogger("bot.app").info("second")
    first, second = map(json.loads, out.getvalue().splitlines())
    assert (first["level"], first["logger"], first["event"]) == ("warning", "bot.store", "место т")
    assert first["at"].endswith("+00:00")
    assert second["event"] == "second"


@pytest.mark.parametrize("form", ["text", "json"])
def test_foreign_line_feeds_cannot_forge_a_line(start: Start, form: Format) -> None:
    out = start(form)
    logging.getLogger("bot.x").warning("%s", "a\n2026-11-30 09:00:00Z INFO bot: all is well\r\x1b[2J\u202e")
    (line,) = out.getvalue().split("\n")[:-1]
    assert "\x1b" not in line
    assert len(out.getvalue().splitlines()) == 1


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize(
    ("secrets", "token"),
    [((), TELEGRAM), ((), DISCORD), ((), TELEGRAM.replace(":", "%3A")), (("short:pass",), "short:pass")],
)
def test_a_token_is_blotted_out_wherever_it_stands(
    start: Start, form: Format, secrets: tuple[str, ...], token: str
) -> None:
    out = start(form, secrets=secrets)
    log = logging.getLogger("bot.chats")
    log.warning("https://api.telegram.org/bot%s/getMe", token)
    log.error("failed", exc_info=raised(ValueError(f"bad address {token}/x")))
    assert len(out.getvalue().splitlines()) == 2
    assert token not in out.getvalue()
    assert out.getvalue().count("[secret]") == 2


def test_libraries_are_heard_from_warnings_upwards_because_httpx_logs_the_token(start: Start) -> None:
    out = start(level=logging.DEBUG)
    for name in ("httpx", "telegram.ext", "discord.gateway", "aiohttp.access"):
        logging.getLogger(name).info("POST https://api.telegram.org/bot…")
        logging.getLogger(name).warning("slow")
    logging.getLogger("bot.app").debug("heard")
    assert [line.split(": ", 1)[1] for line in out.getvalue().splitlines()] == ["slow"] * 4 + ["heard"]


def test_an_incident_has_the_same_number_in_the_log_and_for_the_person(start: Start) -> None:
    out = start()
    name = incident(logging.getLogger("bot.chats"), raised(RuntimeError("oops")), new_id, "a tap")
    (line,) = out.getvalue().splitlines()
    assert name == "ghijkl"
    assert f"ERROR   bot.chats: incident {name} during a tap | RuntimeError: oops at " in line
    assert "log/test_log.py:" in line


def test_an_incident_for_programs_has_its_number_and_errors_as_fields(start: Start) -> None:
    out = start("json")
    error = raised(RuntimeError("oops"), raised(KeyError("Б")))
    name = incident(logging.getLogger("bot.chats"), error, lambda: "7", "a tap")
    event = json.loads(out.getvalue())
    assert (event["incident"], name) == ("000007", "000007")
    assert [error["error"] for error in event["errors"]] == ["RuntimeError: oops", "KeyError: '…'"]
    assert event["errors"][0]["at"][-1].startswith("log/test_log.py:")


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize(
    "error",
    [
        ValueError("invalid literal for int() with base 10: 'мой ответ'"),
        KeyError("мой ответ"),
        KeyError("it's мой ответ"),
        ValueError("first\nмой ответ"),
        RuntimeError('near "мой ответ"'),
        ExceptionGroup("several", [ValueError("'мой ответ'")]),
    ],
)
def test_what_a_person_wrote_does_not_come_into_the_log_with_an_error(
    start: Start, form: Format, error: Exception
) -> None:
    out = start(form)
    incident(logging.getLogger("bot.chats"), raised(error), new_id, "an answer")
    assert type(error).__name__ in out.getvalue()
    assert "мой ответ" not in out.getvalue()


def test_a_cause_that_is_its_own_cause_does_not_hang(start: Start) -> None:
    out = start()
    one, two = raised(ValueError("one")), raised(ValueError("two"))
    one.__cause__, two.__cause__ = two, one
    incident(logging.getLogger("bot.chats"), one, new_id, "a tap")
    assert "two" in out.getvalue()


def test_places_are_told_without_the_folder_of_the_person_who_runs_it(start: Start) -> None:
    from bot.present import LETTERS
    from bot.settings import Settings, SettingsError

    assert LETTERS
    out = start()
    with pytest.raises(SettingsError) as caught:
        Settings.from_env({"KONTROLKA_TYPO": "x"})
    incident(logging.getLogger("bot.cli"), caught.value, new_id, "the start")
    assert " > bot/settings.py:" in out.getvalue()
    assert str(__file__) not in out.getvalue()
