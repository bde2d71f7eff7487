"""Preview: an item as learners will see it, for its author."""

from __future__ import annotations

from datetime import UTC, date, datetime
from fractions import Fraction

from bot.bank import Bank, Entry
from bot.i18n import Language
from bot.present.message import Message
from bot.present.proof import show_me
from bot.present.question import feedback, hint, labelled, letter_of, question, words_of
from bot.quiz import LEARN, Attempt, Plan, Planned, Response, Session


def preview(entry: Entry, bank: Bank, t: Language) -> tuple[Message, ...]:
    """The question, its hint, the feedback for the right answer and of every other option, and its proof, if any."""
    item, words = entry.item, words_of(entry, t)
    planned = Planned(item.id, item.options)
    session = Session("preview", 0, "", 0, "", LEARN, (t.tag,), Plan((planned,)))
    text = words.accept[0] if words.accept else str(item.answer.value) if item.answer else ""
    right = Response(tuple(o for o in item.options if o in item.key), text)
    attempt = Attempt(session.id, 0, item.id, 0, right, Fraction(1), 0, datetime.min.replace(tzinfo=UTC), date.min)
    others = tuple(
        block
        for option in item.options
        if option not in item.key
        for block in labelled(f"{letter_of(planned, option)}.", words.options[option].why)
    )
    return (
        question(session, 0, bank, (t,)),
        hint(session, 0, bank, t, learner=None),
        feedback(session, attempt, bank, t, last=True),
        Message(body=others),
        *filter(None, [show_me(entry, t)]),
    )
