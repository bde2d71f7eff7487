"""What somebody at the terminal wants to play, and what is said where something else is open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.bank import Bank, Quiz
from bot.i18n import Language
from bot.present import title_of, titled
from bot.quiz import Policy, Session


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to begin if nothing is open."""

    items: Quiz | Sequence[str]
    """A quiz, or the ids of items."""
    policy: Policy
    named: bool = False
    """Whether a quiz, module or item was named, or mistakes; otherwise it is what is offered first."""
    ruled: bool = False
    """Whether the mode or a limit was named."""
    mistakes: bool = False
    """Whether the items are what was answered wrong so far: they become fewer while they are practised."""

    def same(self, session: Session) -> bool:
        """Whether a session plays the same items."""
        if isinstance(self.items, Quiz):
            return session.quiz == self.items.blueprint.id
        practising = self.mistakes and len(session.plan) > 1
        return not session.quiz and (practising or session.plan.items == tuple(self.items))

    def denied(self, session: Session) -> bool:
        """Whether going on with a session is not what was asked for."""
        return (self.named and not self.same(session)) or (self.ruled and self.policy != session.policy)


def going_on(t: Language, bank: Bank, session: Session, wanted: Wanted) -> str:
    """That the open session goes on, whether that was asked for, and what `--fresh` would do."""
    title, number, total = title_of(session, bank, t), session.position + 1, len(session.plan)
    if wanted.denied(session):
        if not title:
            return t.gettext(
                "What you asked for was not begun: another quiz is open, at question {number} of {total}. To stop it "
                "and begin what you asked for, add --fresh.",
                number=number,
                total=total,
            )
        return t.gettext(
            "What you asked for was not begun: “{title}” is open, at question {number} of {total}. To stop it and "
            "begin what you asked for, add --fresh.",
            title=title,
            number=number,
            total=total,
        )
    if isinstance(wanted.items, Quiz) and not wanted.same(session):
        other = titled(wanted.items.title, t)
        if not title:
            return t.gettext(
                "Continuing with question {number} of {total}. To stop here and begin “{other}”: --fresh",
                number=number,
                total=total,
                other=other,
            )
        return t.gettext(
            "Continuing with “{title}”, question {number} of {total}. To stop it and begin “{other}”: --fresh",
            title=title,
            number=number,
            total=total,
            other=other,
        )
    if not title:
        return t.gettext(
            "Continuing with question {number} of {total}. To start over: --fresh", number=number, total=total
        )
    return t.gettext(
        "Continuing with “{title}”, question {number} of {total}. To start over: --fresh",
        title=title,
        number=number,
        total=total,
    )
