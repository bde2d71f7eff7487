"""Presentation: a step, in a language, becomes `Message`s. No platform is known here."""

from bot.present.message import Action, Choice, Message, Verb
from bot.present.notices import notice, refusal
from bot.present.preview import preview
from bot.present.question import LETTERS, feedback, hint, letter_of, line, question
from bot.present.render import render
from bot.present.summary import mistakes, review, summary

__all__ = [
    "LETTERS",
    "Action",
    "Choice",
    "Message",
    "Verb",
    "feedback",
    "hint",
    "letter_of",
    "line",
    "mistakes",
    "notice",
    "preview",
    "question",
    "refusal",
    "render",
    "review",
    "summary",
]
