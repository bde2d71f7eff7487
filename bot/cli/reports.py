"""`kontrolka bank reports`: what learners say is wrong with items."""

from __future__ import annotations

import click

from bot.i18n import Language
from bot.settings import Settings
from bot.store import there
from bot.store.info import reports


def list_all(settings: Settings, t: Language) -> int:
    """Print every report, oldest first: day and time in UTC, item, language, words.

    The program may be running meanwhile.

    Returns:
        0, also if there is none.

    Raises:
        Corrupt, TooNew, Unavailable: The data file cannot be read.
    """
    found = reports(settings.data_file) if there(settings.data_file) else []
    for report in found:
        click.echo(f"{report.at:%Y-%m-%d %H:%M} UTC · {report.item} · {report.locale}")
        for line in (report.text or t.gettext("(without words)")).splitlines():
            click.echo(f"    {line}")
    click.echo(t.ngettext("{n} report.", "{n} reports.", len(found)) if found else t.gettext("No reports."))
    return 0
