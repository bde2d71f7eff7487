"""Questions and feedback: one item of a session, before and after the answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from fractions import Fraction

from bot.bank import Bank, Entry, Paragraph, Rich, Span, Words
from bot.i18n import Language
from bot.present.message import Action, Choice, Message, Verb
from bot.present.timing import limits, time_left
from bot.quiz import Attempt, Change, Feedback, Kind, Pace, Planned, Session

LETTERS = "ABCDEFGHIJKL"
"""Labels of options in the order shown. Latin in every language, as on the buttons."""


def line(*spans: Span | str) -> Paragraph:
    """A paragraph of spans; a bare string is a plain span."""
    return Paragraph(tuple(Span(span) if isinstance(span, str) else span for span in spans))


def labelled(label: str, words: Rich) -> Rich:
    """Words behind a bold label; code and pictures stay blocks of their own."""
    if words and isinstance(words[0], Paragraph):
        return (line(Span(label, bold=True), " ", *words[0].spans), *words[1:])
    return (line(Span(label, bold=True)), *words)


def letter_of(planned: Planned, option: str) -> str:
    """The letter under which an option is shown in this session."""
    return LETTERS[planned.options.index(option)]


def words_of(entry: Entry, language: Language, locales: Sequence[str] = ()) -> Words:
    """The words of an item in a language, else in the first of the session's, else in any it has."""
    for tag in (language.tag, *locales):
        if tag in entry.words:
            return entry.words[tag]
    return next(iter(entry.words.values()))


def question(
    session: Session,
    position: int,
    bank: Bank,
    languages: Sequence[Language],
    *,
    chosen: Sequence[str] = (),
    standing: Attempt | None = None,
    answered: int | None = None,
    left: timedelta | None = None,
    replaces: bool = False,
) -> Message:
    """The question of a position. The first one of a self-check against the clock says what its limit is.

    Args:
        session: The session it belongs to.
        position: Which item of its plan; the bank must have it.
        bank: Where the words come from.
        languages: One or two; with two every text stands in both, the first first.
        chosen: Options ticked so far.
        standing: The answer that stands and may still change.
        answered: How many have answered, where many answer.
        left: What is left of the time for the whole; None says nothing of it.
        replaces: Whether it takes the place of the message that shows it already.
    """
    planned, entry = session.plan[position], bank.entries[session.plan[position].item]
    t = languages[0]
    several = entry.item.kind is Kind.MULTIPLE
    typed = entry.item.kind in (Kind.TEXT, Kind.NUMBER)
    ticked = standing.response.chosen if standing and not chosen else tuple(chosen)
    notes = {option: t.gettext("your answer") for option in (standing.response.chosen if standing else ())}
    body: list[Paragraph] = []
    if standing is not None:
        body.append(line(recorded(session, standing, t)))
    elif instruction := spoken(languages, lambda t: _instruction(t, entry.item.kind)):
        body.append(line(Span(instruction, italic=True)))
    if answered is not None:
        body.append(line(spoken(languages, lambda t: _answered(t, answered))))
    return Message(
        title=title(languages, session, position),
        progress=(position + 1, len(session.plan)),
        head=(*_timing(session, position, languages, left), *stem_of(entry, languages)),
        choices=choices_of(entry, planned, languages, chosen=ticked, notes=notes),
        body=tuple(body),
        actions=_question_actions(languages, session, entry, standing),
        session=session.id,
        position=position,
        replaces=replaces,
        several=several,
        typed=typed,
    )


def _timing(session: Session, position: int, languages: Sequence[Language], left: timedelta | None) -> Rich:
    """What is said of time with the question of somebody who plays alone."""
    if left is not None:
        words = spoken(languages, lambda t: time_left(t, left))
    elif session.policy.solo and set(range(position)) <= session.dropped:  # nothing was asked before
        words = spoken(languages, lambda t: limits(t, session.policy))
    else:
        return ()
    return (line(Span(words, italic=True)),) if words else ()


def spoken(languages: Sequence[Language], words: Callable[[Language], str]) -> str:
    """A line in every language of a session, parted by a slash, each wording once."""
    return " / ".join(dict.fromkeys(words(t) for t in languages))


def title(languages: Sequence[Language], session: Session, position: int) -> str:
    """The line above a question; empty in a session of one item."""
    number, total = position + 1, len(session.plan)
    if total == 1:
        return ""
    return spoken(languages, lambda t: t.gettext("Question {number} of {total}", number=number, total=total))


def feedback(
    session: Session, attempt: Attempt, bank: Bank, t: Language, *, last: bool, replaces: bool = True
) -> Message:
    """What a learner reads after the answer: verdict, right answer, why, explanation, source.

    Args:
        session: The session it belongs to.
        attempt: The answer as it was graded.
        bank: Where the words come from; it must have the item.
        t: The language of the learner.
        last: Whether nothing follows.
        replaces: Whether it takes the place of the question.
    """
    following = t.gettext("Finish") if last else t.gettext("Next")
    proven = proof_actions(bank.entries[attempt.item], t) if session.policy.solo else ()
    actions = (Action(Verb.NEXT, following, primary=True), *proven, Action(Verb.REPORT, t.gettext("Report a mistake")))
    return replace(
        answered_item(session, attempt, bank, t),
        actions=actions,
        learner=None if session.policy.solo else attempt.learner,
        replaces=replaces,
    )


def answered_item(session: Session, attempt: Attempt, bank: Bank, t: Language) -> Message:
    """An item with its answer, the verdict and the explanation, without anything to press."""
    entry, planned = bank.entries[attempt.item], session.plan[attempt.position]
    words = words_of(entry, t, session.locales)
    return Message(
        title=title((t,), session, attempt.position),
        progress=(attempt.position + 1, len(session.plan)),
        head=head_of(words),
        choices=marked_choices(entry, planned, (t,), attempt),
        verdict=verdict(t, attempt),
        recap=recap(entry, planned, words, attempt, t),
        body=explained(entry, planned, words, attempt, t),
        session=session.id,
        position=attempt.position,
    )


def proof_actions(entry: Entry, t: Language) -> tuple[Action, ...]:
    """The button under an explanation that shows the item's proof; none if it names none."""
    return () if entry.proof is None else (Action(Verb.SHOW_ME, t.gettext("Show the proof")),)


def recap(entry: Entry, planned: Planned, words: Words, attempt: Attempt, t: Language) -> Rich:
    """What was answered and, if it was not right, what is."""
    response = attempt.response
    blocks: Rich = ()
    if not response.skipped:
        blocks += labelled(t.gettext("Your answer:"), answer_words(planned, words, response.chosen, response.text))
    if attempt.grade != 1:
        blocks += labelled(t.gettext("Right answer:"), right_answer(entry, planned, words, t))
    return blocks


def explained(entry: Entry, planned: Planned, words: Words, attempt: Attempt, t: Language) -> Rich:
    """The feedback for what was chosen, the explanation and its sources."""
    response = attempt.response
    blocks: list[Rich] = []
    if entry.item.kind is Kind.SINGLE and response.chosen:
        blocks.append(words.options[response.chosen[0]].why)
    elif entry.item.kind is Kind.MULTIPLE:
        telling = [o for o in planned.options if o in set(response.chosen) ^ entry.item.key or attempt.grade == 1]
        blocks += [labelled(f"{letter_of(planned, o)}.", words.options[o].why) for o in telling if not response.skipped]
    blocks.append(words.explanation)
    blocks.append(sources(entry, t))
    return tuple(block for part in blocks for block in part)


def verdict(t: Language, attempt: Attempt) -> str:
    """Right, wrong, partly right or skipped, in words."""
    if attempt.response.skipped:
        return t.gettext("Skipped.")
    if attempt.grade == 1:
        return t.gettext("Right.")
    if attempt.grade == 0:
        return t.gettext("Wrong.")
    return t.gettext("Partly right: {share}.", share=t.percent(attempt.grade))


def answer_words(planned: Planned, words: Words, chosen: Sequence[str], text: str) -> Rich:
    """A response as a person reads it: letters with the words of the options, or what was typed."""
    if not chosen:
        return (line(Span(text)),)
    spans: list[Span] = []
    for option in (o for o in planned.options if o in chosen):
        spans += [Span("; " if spans else ""), Span(f"{letter_of(planned, option)}. "), *_one_line(words, option)]
    return (line(*(span for span in spans if span.text)),)


def right_answer(entry: Entry, planned: Planned, words: Words, t: Language) -> Rich:
    """The key as a person reads it."""
    if entry.item.kind is Kind.TEXT:
        return (line(Span(words.accept[0])),)
    if entry.item.answer is not None:
        exact = Fraction(entry.item.answer.value)
        shown = t.number(entry.item.answer.value)
        if tolerance := entry.item.answer.tolerance:
            shown = t.gettext("{number} (± {tolerance})", number=shown, tolerance=t.number(tolerance))
        return (line(shown if exact.denominator <= 100 else str(entry.item.answer.value)),)
    return answer_words(planned, words, tuple(entry.item.key), "")


def _one_line(words: Words, option: str) -> tuple[Span, ...]:
    return tuple(span for block in words.options[option].text if isinstance(block, Paragraph) for span in block.spans)


def sources(entry: Entry, t: Language) -> Rich:
    """Where the fact comes from and for which versions it holds, one paragraph, a line each."""
    spans: list[Span] = []
    for source in entry.sources:
        version = f" ({source.version})" if source.version else ""
        title_span = Span(source.title, link=source.url or None)
        spans += [Span(t.gettext("Source:"), italic=True), Span(" "), title_span, Span(f"{version}\n")]
    if entry.valid_for:
        spans += [Span(t.gettext("Valid for:"), italic=True), Span(f" {entry.valid_for}\n")]
    if not spans:
        return ()
    spans[-1] = Span(spans[-1].text.removesuffix("\n"))
    return (line(*(span for span in spans if span.text)),)


def head_of(words: Words) -> Rich:
    """Picture and stem of an item."""
    return (words.image, *words.stem) if words.image else words.stem


def stem_of(entry: Entry, languages: Sequence[Language]) -> Rich:
    """Picture and stem in every language, equal ones once."""
    heads = [head_of(words_of(entry, t)) for t in languages]
    unique = [head for i, head in enumerate(heads) if head not in heads[:i]]
    return tuple(block for head in unique for block in head)


def choices_of(
    entry: Entry,
    planned: Planned,
    languages: Sequence[Language],
    *,
    chosen: Sequence[str],
    notes: Mapping[str, str],
    right: frozenset[str] | None = None,
) -> tuple[Choice, ...]:
    """The options in the order shown, in every language.

    Args:
        entry: The item.
        planned: Its place in the plan.
        languages: One or two.
        chosen: Options that are ticked or were chosen.
        notes: What is said of single options in words.
        right: The key; None while it may not be shown.
    """
    choices = []
    for option in planned.options:
        texts = [words_of(entry, t).options[option].text for t in languages]
        unique = [text for i, text in enumerate(texts) if text not in texts[:i]]
        choices.append(
            Choice(
                option,
                letter_of(planned, option),
                tuple(block for text in unique for block in text),
                chosen=option in chosen,
                right=None if right is None else option in right,
                note=notes.get(option, ""),
            )
        )
    return tuple(choices)


def marked_choices(
    entry: Entry, planned: Planned, languages: Sequence[Language], attempt: Attempt | None
) -> tuple[Choice, ...]:
    """The options after the answer: what was chosen and what is right, in words."""
    t = languages[0]
    chosen = attempt.response.chosen if attempt else ()
    notes = {}
    for option in planned.options:
        if option in chosen and option in entry.item.key:
            notes[option] = t.gettext("your answer, right")
        elif option in chosen:
            notes[option] = t.gettext("your answer, wrong")
        elif option in entry.item.key:
            notes[option] = t.gettext("right answer")
    return choices_of(entry, planned, languages, chosen=chosen, notes=notes, right=entry.item.key)


def _answered(t: Language, n: int) -> str:
    if not n:
        return t.gettext("Nobody has answered yet.")
    return t.ngettext("{n} person has answered.", "{n} people have answered.", n)


def _instruction(t: Language, kind: Kind) -> str:
    match kind:
        case Kind.MULTIPLE:
            return t.gettext("Choose every right option; there may be more than one.")
        case Kind.TEXT:
            return t.gettext("Type your answer.")
        case Kind.NUMBER:
            return t.gettext("Type a number.")
        case Kind.SINGLE:
            return ""


def recorded(session: Session, attempt: Attempt, t: Language) -> str:
    """That an answer is recorded, and how long it may change."""
    answer = short_answer(session.plan[attempt.position], attempt)
    if session.policy.change is Change.NEVER:
        return t.gettext("Recorded: {answer}.", answer=answer)
    if session.policy.feedback is Feedback.AT_END:
        return t.gettext("Recorded: {answer}. You can change it until you go on.", answer=answer)
    return t.gettext("Recorded: {answer}. You can change it until the answer is revealed.", answer=answer)


def ticked(session: Session, position: int, chosen: Sequence[str], t: Language) -> str:
    """What a learner has ticked so far of a multiple-choice item, by letters."""
    letters = [letter_of(session.plan[position], option) for option in chosen]
    if not letters:
        return t.gettext("Choose at least one option first.")
    return t.gettext("Selected: {letters}. Press “Submit” when you are done.", letters=", ".join(letters))


def short_answer(planned: Planned, attempt: Attempt) -> str:
    """A response in a few characters: the letters chosen, or what was typed."""
    letters = [letter_of(planned, o) for o in planned.options if o in attempt.response.chosen]
    return ", ".join(letters) or attempt.response.text or "—"


def _question_actions(
    languages: Sequence[Language], session: Session, entry: Entry, standing: Attempt | None
) -> tuple[Action, ...]:
    actions = []
    if entry.item.kind is Kind.MULTIPLE:
        submit = spoken(languages, lambda t: t.gettext("Submit"))
        actions.append(Action(Verb.SUBMIT, submit, primary=standing is None))
    if standing is not None:
        actions.append(Action(Verb.NEXT, spoken(languages, lambda t: t.gettext("Next")), primary=True))
    if words_of(entry, languages[0]).hint:
        actions.append(Action(Verb.HINT, spoken(languages, lambda t: t.gettext("Hint"))))
    if session.policy.solo and standing is None:
        actions.append(Action(Verb.SKIP, spoken(languages, lambda t: t.gettext("Skip"))))
    if not session.policy.solo and session.policy.pace is Pace.HOST:
        actions.append(Action(Verb.REVEAL, spoken(languages, lambda t: t.gettext("Reveal the answer"))))
    return tuple(actions)


def hint(session: Session, position: int, bank: Bank, t: Language, *, learner: int | None) -> Message:
    """The hint of a position, or that there is none."""
    words = words_of(bank.entries[session.plan[position].item], t, session.locales)
    body = labelled(t.gettext("Hint:"), words.hint) if words.hint else (line(t.gettext("This question has no hint.")),)
    return Message(body=body, session=session.id, position=position, learner=learner)
