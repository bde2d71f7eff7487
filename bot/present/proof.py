"""Proofs: the script that shows a claim and what it printed when it was recorded."""

from __future__ import annotations

from bot.bank import Code, Entry, Rich, Span
from bot.i18n import Language
from bot.present.message import Message
from bot.present.question import line


def show_me(entry: Entry, t: Language) -> Message | None:
    """A script and its recorded output, for reading; nothing is run.

    Returns:
        The message; None if the item names no proof.
    """
    proof = entry.proof
    if proof is None:
        return None
    body: Rich = (line(Span(t.gettext("A script that shows it:"), bold=True)), Code(proof.code, "python"))
    if proof.output:
        body = (*body, line(Span(t.gettext("It printed:"), bold=True)), Code(proof.output))
    if proof.recorded is not None:
        recorded = t.gettext("Recorded on {date} with:", date=t.day(proof.recorded))
        body = (*body, line(Span(recorded, italic=True), " ", Span(proof.versions, code=True)))
    return Message(body=body)
