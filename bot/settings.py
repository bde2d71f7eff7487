"""Settings: everything an operator may set, from the environment and nowhere else."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import Field, dataclass, field, fields
from enum import StrEnum
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import platformdirs

LANGUAGES = ("en", "ru")
"""The languages we speak."""


class Wrong(StrEnum):
    """What is wrong with a setting."""

    UNKNOWN = "unknown"
    """No setting of that name: a typo."""
    ADDRESS = "address"
    """Not an address that begins with http:// or https://."""
    LOG = "log"
    """Neither `text` nor `json`."""
    ALIASES = "aliases"
    """Not a list such as `uk=ru,be=ru`."""
    LANG = "lang"
    """Not a language we speak."""
    LISTEN = "listen"
    """Not a host and a port such as `127.0.0.1:8080`."""
    WEBHOOK_SECRET = "webhook_secret"  # noqa: S105
    """Missing beside a webhook's address, or not 1 to 256 of `A-Z a-z 0-9 _ -`."""
    LIMITS = "limits"
    """Neither `on` nor `off`."""
    TOKEN = "token"  # noqa: S105
    """A space or a letter that no token has."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One setting that cannot be used."""

    name: str
    wrong: Wrong
    value: str = ""
    """As it was set; empty for a secret and for an unknown name."""


class SettingsError(Exception):
    """Every problem of the environment at once."""

    def __init__(self, problems: Sequence[Problem], usable: Settings) -> None:
        super().__init__("; ".join(f"{problem.name}: {problem.wrong}" for problem in problems))
        self.problems = tuple(problems)
        self.usable = usable
        """The settings without those that have a problem."""


def _path(text: str) -> Path:
    return Path(text).expanduser().absolute()


def _address(text: str) -> str:
    if urlsplit(text).scheme not in ("http", "https") or not urlsplit(text).netloc:
        raise ValueError(Wrong.ADDRESS)
    return text.rstrip("/")


def _language(text: str) -> str:
    if text not in LANGUAGES:
        raise ValueError(Wrong.LANG)
    return text


def _listen(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    if not host or not port.isdecimal() or not 0 < int(port) < 65536:
        raise ValueError(Wrong.LISTEN)
    return host.strip("[]"), int(port)


def _webhook_secret(text: str) -> str:
    # Source of the form: Telegram Bot API 10.0, setWebhook.secret_token.
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,256}", text):
        raise ValueError(Wrong.WEBHOOK_SECRET)
    return text


def _on_off(text: str) -> bool:
    if text not in ("on", "off"):
        raise ValueError(Wrong.LIMITS)
    return text == "on"


def _log_format(text: str) -> str:
    if text not in ("text", "json"):
        raise ValueError(Wrong.LOG)
    return text


def _aliases(text: str) -> dict[str, str]:
    pairs = [pair.strip().partition("=") for pair in text.split(",") if pair.strip()]
    if not all(wish and spoken for wish, _, spoken in pairs):
        raise ValueError(Wrong.ALIASES)
    return {wish.strip(): spoken.strip() for wish, _, spoken in pairs}


def _token(text: str) -> str:
    if not text.isascii() or any(character.isspace() for character in text):
        raise ValueError(Wrong.TOKEN)
    return text


def _said(text: str) -> str:
    """Mark words for the catalogues: they are translated where they are shown."""
    return text


def _setting(name: str, about: str, read: Callable[[str], Any] = str, *, shown: str = "", secret: bool = False) -> Any:
    metadata = {"name": name, "about": about, "read": read, "shown": shown}
    return field(default=None, repr=not secret, metadata=metadata)


@dataclass(frozen=True, slots=True)
class Settings:
    """What the operator set; None is not set. A missing token switches its platform off."""

    data: Path | None = _setting(
        "KONTROLKA_DATA", _said("the data file"), _path, shown=_said("`kontrolka.db` in the user's data folder")
    )
    content: Path | None = _setting(
        "KONTROLKA_CONTENT", _said("the folder of courses"), _path, shown=_said("the bundled courses")
    )
    lang: str | None = _setting(
        "KONTROLKA_LANG",
        _said("language of the terminal: `en` or `ru`"),
        _language,
        shown=_said("the language of the system"),
    )
    lang_aliases: dict[str, str] | None = _setting(
        "KONTROLKA_LANG_ALIASES",
        _said("which of our languages to use for others, such as `uk=ru,be=ru`"),
        _aliases,
        shown=_said("none: English is used"),
    )
    log: str | None = _setting(
        "KONTROLKA_LOG",
        _said("one line per event for people (`text`) or programs (`json`)"),
        _log_format,
        shown="`text`",
    )
    telegram_token: str | None = _setting(
        "TELEGRAM_TOKEN", _said("the token from BotFather"), _token, shown=_said("Telegram is off"), secret=True
    )
    telegram_api_url: str | None = _setting(
        "TELEGRAM_API_URL", _said("address of another Bot API server"), _address, shown=_said("Telegram's own server")
    )
    telegram_webhook_url: str | None = _setting(
        "TELEGRAM_WEBHOOK_URL",
        _said("public https address to which Telegram sends updates"),
        _address,
        shown=_said("updates are fetched"),
    )
    telegram_webhook_secret: str | None = _setting(
        "TELEGRAM_WEBHOOK_SECRET",
        _said("secret that Telegram sends with every update: 1 to 256 of `A-Z a-z 0-9 _ -`"),
        _webhook_secret,
        shown=_said("needed with a webhook"),
        secret=True,
    )
    telegram_webhook_listen: tuple[str, int] | None = _setting(
        "TELEGRAM_WEBHOOK_LISTEN", _said("where the webhook listens"), _listen, shown="`127.0.0.1:8080`"
    )
    discord_token: str | None = _setting(
        "DISCORD_TOKEN",
        _said("the token from the developer portal"),
        _token,
        shown=_said("Discord is off"),
        secret=True,
    )
    discord_api_url: str | None = _setting(
        "DISCORD_API_URL", _said("address of another Discord API server"), _address, shown=_said("Discord's own server")
    )

    limits: bool | None = _setting(
        "KONTROLKA_LIMITS",
        _said("`off` lifts the rate limits: only for tests against your own server"),
        _on_off,
        shown="`on`",
    )

    @classmethod
    def from_env(cls, environ: Mapping[str, str]) -> Settings:
        """Read the settings; an empty variable is not set.

        Raises:
            SettingsError: A value cannot be used, or a `KONTROLKA_*` name is unknown (a typo).
        """
        values: dict[str, Any] = {}
        problems: list[Problem] = []
        known = {setting.metadata["name"]: setting for setting in fields(cls)}
        for name, setting in known.items():
            if text := environ.get(name, "").strip():
                try:
                    values[setting.name] = setting.metadata["read"](text)
                except ValueError as error:
                    problems.append(Problem(name, Wrong(error.args[0]), text if setting.repr else ""))
        if "telegram_webhook_url" in values and not environ.get("TELEGRAM_WEBHOOK_SECRET", "").strip():
            problems.append(Problem("TELEGRAM_WEBHOOK_SECRET", Wrong.WEBHOOK_SECRET))
        for name in sorted(environ):
            if name.startswith("KONTROLKA_") and name not in known:
                problems.append(Problem(name, Wrong.UNKNOWN))
        if problems:
            raise SettingsError(problems, cls(**values))
        return cls(**values)

    @property
    def data_file(self) -> Path:
        """The data file: the one set, else in the user's data folder."""
        return self.data or platformdirs.user_data_path("kontrolka", appauthor=False) / "kontrolka.db"


def names() -> tuple[str, ...]:
    """The names of all settings, in the order of the table."""
    return tuple(setting.metadata["name"] for setting in fields(Settings))


def table(translate: Callable[[str], str] = str) -> str:
    """The settings as a Markdown table, as the README shows it.

    Args:
        translate: Gives the words in the language of the table.
    """
    heads = (_said("setting"), _said("meaning"), _said("if not set"))
    rows = [f"| {' | '.join(map(translate, heads))} |", "| --- | --- | --- |"]
    rows += [_row(setting, translate) for setting in fields(Settings)]
    return "\n".join(rows)


def _row(setting: Field[Any], translate: Callable[[str], str]) -> str:
    data = setting.metadata
    return f"| `{data['name']}` | {translate(data['about'])} | {translate(data['shown'])} |"
