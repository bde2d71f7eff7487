"""Presentation: a step, in a language, becomes `Message`s. No platform is known here."""

from bot.present.group import board, isolated, ranked, reveal, whisper
from bot.present.message import Action, Choice, Message, Verb
from bot.present.notices import notice, refusal
from bot.present.preview import preview
from bot.present.proof import show_me
from bot.present.question import LETTERS, feedback, hint, letter_of, line, question
from bot.present.render import render
from bot.present.summary import mistakes, review, reviewable, summary
from bot.present.talk import (
    choosing,
    forgotten,
    help_words,
    nothing_to_ask,
    paragraphs,
    privacy,
    progress,
    titled,
    unfinished,
    welcome,
)

__all__ = [
    "LETTERS",
    "Action",
    "Choice",
    "Message",
    "Verb",
    "board",
    "choosing",
    "feedback",
    "forgotten",
    "help_words",
    "hint",
    "isolated",
    "letter_of",
    "line",
    "mistakes",
    "nothing_to_ask",
    "notice",
    "paragraphs",
    "preview",
    "privacy",
    "progress",
    "question",
    "ranked",
    "refusal",
    "render",
    "reveal",
    "review",
    "reviewable",
    "show_me",
    "summary",
    "titled",
    "unfinished",
    "welcome",
    "whisper",
]
