"""Settings: whatever is in the environment, each problem is told, and nothing breaks."""

from __future__ import annotations

import os
from contextlib import chdir
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.app import catalogues
from bot.cli.main import run
from bot.cli.problems import explained
from bot.settings import LANGUAGES, Settings, SettingsError, names

SAYS = pytest.CaptureFixture[str]

ANY_TEXT = st.text(st.characters(exclude_characters="\0", exclude_categories=()))
"""What a variable may hold: everything but NUL; what is no UTF-8 arrives as lone surrogates."""

LIKELY = st.text(st.sampled_from("htps:/[]@?#%=,.~-_ 0129٣auken\t\n\udcff"))
"""Pieces of what settings are made of."""


@given(st.dictionaries(st.sampled_from(names()), ANY_TEXT | LIKELY | st.builds("http://{}".format, LIKELY)))
@example({"TELEGRAM_API_URL": "http://["})
@example({"TELEGRAM_API_URL": "http://host:99999"})
@example({"KONTROLKA_DATA": "~nobodyhere/k.db"})
@example({"TELEGRAM_WEBHOOK_LISTEN": f"host:{'9' * 5000}"})
def test_whatever_is_set_is_taken_or_told_in_both_languages(environ: dict[str, str]) -> None:
    try:
        Settings.from_env(environ)
    except SettingsError as caught:
        error = caught
    else:
        return
    for tag in LANGUAGES:
        words = explained(error, catalogues(None)[tag]) or ""
        for line, problem in zip(words.splitlines(), error.problems, strict=False):
            assert problem.name in words
            assert line


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("TELEGRAM_API_URL", "http://[", "it must be an address that begins with http:// or https://."),
        ("TELEGRAM_API_URL", "http://:80", "it must be an address that begins with http:// or https://."),
        ("DISCORD_API_URL", "http://a:b", "it must be an address that begins with http:// or https://."),
        ("DISCORD_API_URL", "http://a b", "it must be an address that begins with http:// or https://."),
        ("KONTROLKA_DATA", "~nobodyhere/k.db", "there is no such home or current folder. Write the whole path"),
        ("KONTROLKA_CONTENT", "~nobodyhere", "there is no such home or current folder. Write the whole path"),
        ("KONTROLKA_LANG_ALIASES", "uk=xx", "it must be a list such as uk=ru,be=ru"),
        ("KONTROLKA_LANG_ALIASES", "uk=ru,be", "it must be a list such as uk=ru,be=ru"),
        ("KONTROLKA_LANG_ALIASES", "uk-UA=ru", "it must be a list such as uk=ru,be=ru"),
        ("KONTROLKA_LANG_ALIASES", "ru=en", "then one of: en, ru."),
        ("TELEGRAM_WEBHOOK_LISTEN", "[::1]:٨٠", "it must be a host and a port such as 127.0.0.1:8080."),
        ("TELEGRAM_WEBHOOK_URL", "http://bot.example.org/", "it must be an address that begins with https://"),
        ("TELEGRAM_WEBHOOK_URL", "bot.example.org", "it must be an address that begins with https://"),
    ],
)
def test_what_cannot_be_used_is_told_by_check(name: str, value: str, words: str, tmp_path: Path, capsys: SAYS) -> None:
    environ = {"KONTROLKA_DATA": str(tmp_path / "k.db"), "TELEGRAM_WEBHOOK_SECRET": "s", name: value}
    assert run(["check", "--lang", "en"], environ) == 1
    said = capsys.readouterr().out
    assert f"✗ settings: {name} is “{value}”; " in said
    assert words in said
    assert "✓ bank:" in said


def test_a_path_from_a_folder_that_is_gone_is_told(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    with chdir(gone):
        gone.rmdir()
        with pytest.raises(SettingsError, match="KONTROLKA_DATA: path"):
            Settings.from_env({"KONTROLKA_DATA": "k.db"})
        os.chdir(tmp_path)


def test_a_wrong_address_does_not_hide_that_the_secret_is_missing() -> None:
    with pytest.raises(SettingsError) as caught:
        Settings.from_env({"TELEGRAM_WEBHOOK_URL": "http://bot.example.org"})
    assert [problem.name for problem in caught.value.problems] == ["TELEGRAM_WEBHOOK_URL", "TELEGRAM_WEBHOOK_SECRET"]


def test_ones_own_server_may_send_updates_without_https() -> None:
    settings = Settings.from_env(
        {
            "TELEGRAM_API_URL": "http://127.0.0.1:8081",
            "TELEGRAM_WEBHOOK_URL": "http://127.0.0.1:8080/hook",
            "TELEGRAM_WEBHOOK_SECRET": "s",
        }
    )
    assert settings.telegram_webhook_url == "http://127.0.0.1:8080/hook"


def test_other_languages_are_mapped_to_ours() -> None:
    assert Settings.from_env({"KONTROLKA_LANG_ALIASES": " uk=ru, be = en,"}).lang_aliases == {"uk": "ru", "be": "en"}
