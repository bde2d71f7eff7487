"""Hard limits of content: plain numbers that hold on every platform, so that nothing is ever cut.

Lengths are counted by `length`: UTF-16 code units of what is shown, without marks of markup. That is the strictest of
the ways in use: Telegram counts code points, Discord "characters", Telegram entities UTF-16.

Why a question fits one message in both languages together, on the narrowest of the surfaces:

- Telegram message 4096 (Bot API 10.0, sendMessage.text, after parsing); Discord embed description 4096, all texts of
  a components-v2 message 4000, plain content 2000 (too little for two languages). The narrowest is 4000.
- 2 languages x (QUESTION 1650 + 12 options x 5 for `A. `, a mark and a line feed) = 3420.
- The 580 that are left hold two hints (240) and the frame: title, number of the question, names of the languages.

QUESTION counts by `cost`, which doubles what Discord's Markdown would have to escape, so escaping is paid for.
Fields that are shown after an answer (why, explanation, sources) may be sent as a message of their own.
"""

from __future__ import annotations

import re

from bot.bank.words import Code, Paragraph, Rich, plain
from bot.quiz import MAX_OPTIONS

STEM = 350
"""Chosen by us. The core of it may exceed a Telegram poll's question of 300: then it is no poll."""

OPTION = 200
"""Chosen by us: no platform has so long a button or poll option (Discord button 80, select 100, poll 55; Telegram poll
100), so a long option stands in the message and its button carries a letter. What reads well ends at 80: that is
`style.long`."""

OPTIONS = MAX_OPTIONS
"""Source: Telegram Bot API 9.1, poll options (12); Discord has 25 buttons or entries of a select."""

QUESTION = 1650
"""Stem and all options together in one language, counted by `cost`. Chosen by us, see above."""

WHY = 200
"""Source: Telegram Bot API 10.0, answerCallbackQuery.text, 200 characters."""

HINT = 120
"""Chosen by us; under Telegram's answerCallbackQuery.text of 200."""

EXPLANATION = 500
"""Chosen by us: three sentences; under Discord's embed field value of 1024."""

BRIEF = 200
"""Source: Telegram Bot API 10.0, sendPoll.explanation, 200 characters."""

BRIEF_LINES = 2
"""Line feeds. Source: the same."""

TITLE = 80
"""Of courses, modules and quizzes. Source: Discord button label, 80."""

ABOUT = 300
"""Chosen by us."""

ACCEPT = 100
"""One accepted form. Source: Discord modal, far under TextInput 4000; chosen by us so that a form fits one line."""

ACCEPTED = 20
"""Accepted forms in one language. Chosen by us."""

ALT = 300
"""Alternative text of an image. Chosen by us; Discord allows 1024."""

SOURCES = 4
"""Sources of one item. Chosen by us."""

SOURCE_TITLE = 150
"""Chosen by us."""

SOURCE_URL = 300
"""Chosen by us; Discord button url 512."""

VERSION = 80
"""`version` of a source and `valid_for`. Chosen by us."""

REASON = 200
"""The reason of a waiver. Chosen by us."""

IMAGE_BYTES = 5_000_000
"""Chosen by us; Telegram sendPhoto takes 10 MB, Discord 10 MiB."""

DIGITS = 30
"""Digits of a number before and after its point: what `bot.quiz.readings` reads in a response."""

MINUTES = 24 * 60
"""Limit for a whole exam. Chosen by us."""

_ESCAPED = re.compile(r"[\\`*_~|<>#@\[\]()+-]")


def length(text: str) -> int:
    """UTF-16 code units: never less than any platform counts."""
    return len(text.encode("utf-16-le")) // 2


def cost(words: Rich) -> int:
    """The most that some words can need in a message.

    Returns:
        UTF-16 code units; in text, every character that Markdown may take for markup counts twice; each code span,
        bold span and link adds its marks, each code block its fence.
    """
    total = length(plain(words))
    for block in words:
        if isinstance(block, Code):
            total += 8 + length(block.language)
        elif isinstance(block, Paragraph):
            for span in block.spans:
                total += 4 if span.code else len(_ESCAPED.findall(span.text))
                total += 4 * span.bold + (4 + length(span.link) if span.link else 0)
    return total
