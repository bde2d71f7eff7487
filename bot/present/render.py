"""Rendering: the effects of one step become messages, in order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import assert_never

from bot.bank import Bank
from bot.i18n import Language
from bot.present.group import board, isolated, reveal
from bot.present.message import Message
from bot.present.notices import notice, refusal
from bot.present.question import feedback, hint, line, question, recorded, ticked
from bot.present.summary import summary
from bot.quiz import (
    Ask,
    Effect,
    GiveHint,
    Mark,
    Notice,
    Refuse,
    Retire,
    Session,
    Show,
    Step,
    Summarise,
    Tally,
    Tell,
)


def render(
    step: Step,
    bank: Bank,
    public: Sequence[Language],
    private: Language,
    names: Mapping[int, str] | None = None,
) -> tuple[Message, ...]:
    """What a step says, in order.

    Args:
        step: As the tutor returned it.
        bank: Where the words come from.
        public: The session's languages, one or two, for what the whole place reads.
        private: The language of the learner whose command it was.
        names: Learner id to the name a place knows them by, where many take part; None names nobody.

    Returns:
        The messages; `Retire` says nothing and is left to the adapter.
    """
    texts = (private,) if step.session.policy.solo else tuple(public)
    messages = (_message(step.session, effect, bank, texts, private, names) for effect in step.effects)
    return tuple(message for message in messages if message is not None)


def _message(
    session: Session,
    effect: Effect,
    bank: Bank,
    texts: Sequence[Language],
    t: Language,
    names: Mapping[int, str] | None,
) -> Message | None:
    match effect:
        case Ask(position, chosen, standing, left=left) if session.plan[position].item in bank.entries:
            return question(session, position, bank, texts, chosen=chosen, standing=standing, left=left)
        case Mark(_, position, chosen) if session.policy.solo:
            return question(session, position, bank, texts, chosen=chosen, replaces=True)
        case Tell(_, _, attempt, True, last):
            return feedback(session, attempt, bank, t, last=last, replaces=session.policy.solo)
        case Tell(_, position, attempt, False) if session.policy.solo:
            return question(session, position, bank, texts, standing=attempt, replaces=True)
        case Tell(learner, _, attempt):
            return Message(body=(line(recorded(session, attempt, t)),), learner=learner)
        case GiveHint(learner, position):
            return hint(session, position, bank, t, learner=learner)
        case Summarise(results) if session.policy.solo:
            return summary(session, results, bank, t)
        case Notice(news, learner, count):
            name = isolated((names or {}).get(learner, "")) if learner is not None else ""
            return Message(body=(line(notice(news, texts[0], name=name, count=count)),))
        case Refuse():
            return Message(body=(line(refusal(session, effect, t)),))
        case Mark(learner, position, chosen):
            return Message(body=(line(ticked(session, position, chosen, t)),), learner=learner)
        case Tally(position, answered) if session.plan[position].item in bank.entries:
            return question(session, position, bank, texts, answered=answered, replaces=True)
        case Show(position, attempts, last) if session.plan[position].item in bank.entries:
            return reveal(session, position, attempts, bank, texts, names, last=last)
        case Summarise(scores=scores) if not session.policy.solo:
            return board(session, scores, texts, names or {})
        case Ask() | Retire() | Tally() | Show() | Summarise():  # the item is gone, or there is nothing to say
            return None
        case _:
            assert_never(effect)
