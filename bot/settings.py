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
    PATH = "path"
    """A path from a home folder, or from the present one, that is not there."""
    ADDRESS = "address"
    """Not an address that begins with http:// or https://."""
    WEBHOOK = "webhook"
    """Not an address that begins with https://, and it is Telegram's own server that would send there."""
    LOG = "log"
    """Neither `text` nor `json`."""
    ALIASES = "aliases"
    """Not a list such as `uk=ru,be=ru`, or not to a language we speak."""
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


# Each reader gives the value of a text, or None if the text cannot be used; some of the library's say that by an error.


def _path(text: str) -> Path | None:
    return Path(text).expanduser().absolute()


def _address(text: str) -> str | None:
    parts = urlsplit(text)
    usable = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0  # a port may be none
    return text.rstrip("/") if usable and text.isprintable() and " " not in text else None


def _language(text: str) -> str | None:
    return text if text in LANGUAGES else None


def _listen(text: str) -> tuple[str, int] | None:
    host, _, port = text.rpartition(":")
    usable = host and re.fullmatch("[0-9]{1,5}", port) and 0 < int(port) < 65536
    return (host.strip("[]"), int(port)) if usable else None


def _webhook_secret(text: str) -> str | None:
    # Source of the form: Telegram Bot API 10.0, setWebhook.secret_token.
    return text if re.fullmatch(r"[A-Za-z0-9_-]{1,256}", text) else None


def _on_off(text: str) -> bool | None:
    return {"on": True, "off": False}.get(text)


def _log_format(text: str) -> str | None:
    return text if text in ("text", "json") else None


def _aliases(text: str) -> dict[str, str] | None:
    found = {}
    for pair in filter(None, map(str.strip, text.split(","))):
        wish, _, spoken = (part.strip() for part in pair.partition("="))
        if not re.fullmatch("[a-z]{2,3}", wish) or wish in LANGUAGES or spoken not in LANGUAGES:
            return None
        found[wish] = spoken
    return found


def _token(text: str) -> str | None:
    return text if text.isascii() and not any(character.isspace() for character in text) else None


def _said(text: str) -> str:
    """Mark words for the catalogues: they are translated where they are shown."""
    return text


def _setting(
    name: str, about: str, read: Callable[[str], Any], wrong: Wrong, *, shown: str, secret: bool = False
) -> Any:
    metadata = {"name": name, "about": about, "read": read, "wrong": wrong, "shown": shown}
    return field(default=None, repr=not secret, metadata=metadata)


@dataclass(frozen=True, slots=True)
class Settings:
    """What the operator set; None is not set. A missing token switches its platform off."""

    data: Path | None = _setting(
        "KONTROLKA_DATA",
        _said("the data file"),
        _path,
        Wrong.PATH,
        shown=_said("`kontrolka.db` in the user's data folder"),
    )
    content: Path | None = _setting(
        "KONTROLKA_CONTENT", _said("the folder of courses"), _path, Wrong.PATH, shown=_said("the bundled courses")
    )
    lang: str | None = _setting(
        "KONTROLKA_LANG",
        _said("language of the terminal: `en` or `ru`"),
        _language,
        Wrong.LANG,
        shown=_said("the language of the system"),
    )
    lang_aliases: dict[str, str] | None = _setting(
        "KONTROLKA_LANG_ALIASES",
        _said("which of our languages to use for others, such as `uk=ru,be=ru`"),
        _aliases,
        Wrong.ALIASES,
        shown=_said("none: English is used"),
    )
    log: str | None = _setting(
        "KONTROLKA_LOG",
        _said("one line per event for people (`text`) or programs (`json`)"),
        _log_format,
        Wrong.LOG,
        shown="`text`",
    )
    telegram_token: str | None = _setting(
        "TELEGRAM_TOKEN",
        _said("the token from BotFather"),
        _token,
        Wrong.TOKEN,
        shown=_said("Telegram is off"),
        secret=True,
    )
    telegram_api_url: str | None = _setting(
        "TELEGRAM_API_URL",
        _said("address of another Bot API server"),
        _address,
        Wrong.ADDRESS,
        shown=_said("Telegram's own server"),
    )
    telegram_webhook_url: str | None = _setting(
        "TELEGRAM_WEBHOOK_URL",
        _said("public https address to which Telegram sends updates"),
        _address,
        Wrong.WEBHOOK,
        shown=_said("updates are fetched"),
    )
    telegram_webhook_secret: str | None = _setting(
        "TELEGRAM_WEBHOOK_SECRET",
        _said("secret that Telegram sends with every update: 1 to 256 of `A-Z a-z 0-9 _ -`"),
        _webhook_secret,
        Wrong.WEBHOOK_SECRET,
        shown=_said("needed with a webhook"),
        secret=True,
    )
    telegram_webhook_listen: tuple[str, int] | None = _setting(
        "TELEGRAM_WEBHOOK_LISTEN", _said("where the webhook listens"), _listen, Wrong.LISTEN, shown="`127.0.0.1:8080`"
    )
    discord_token: str | None = _setting(
        "DISCORD_TOKEN",
        _said("the token from the developer portal"),
        _token,
        Wrong.TOKEN,
        shown=_said("Discord is off"),
        secret=True,
    )
    discord_api_url: str | None = _setting(
        "DISCORD_API_URL",
        _said("address of another Discord API server"),
        _address,
        Wrong.ADDRESS,
        shown=_said("Discord's own server"),
    )

    limits: bool | None = _setting(
        "KONTROLKA_LIMITS",
        _said("`off` lifts the rate limits: only for tests against your own server"),
        _on_off,
        Wrong.LIMITS,
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
                value = _value(setting, text)
                if value is None or (setting.name == "telegram_webhook_url" and not _may_be_called(value, environ)):
                    problems.append(Problem(name, setting.metadata["wrong"], text if setting.repr else ""))
                else:
                    values[setting.name] = value
        if environ.get("TELEGRAM_WEBHOOK_URL", "").strip() and not environ.get("TELEGRAM_WEBHOOK_SECRET", "").strip():
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


def _value(setting: Field[Any], text: str) -> Any:
    """What a text means as a setting; None if it cannot be used."""
    try:
        return setting.metadata["read"](text)
    except (ValueError, RuntimeError, OSError):  # no address; no such home folder; no present folder
        return None


def _may_be_called(webhook: str, environ: Mapping[str, str]) -> bool:
    """Whether updates are sent to such an address: Telegram's own server wants https, another one may be local.

    Source: Telegram Bot API 10.0, setWebhook.url and "Using a Local Bot API Server".
    """
    return webhook.lower().startswith("https://") or bool(environ.get("TELEGRAM_API_URL", "").strip())


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
