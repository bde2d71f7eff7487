"""Presentation: a step, in a language, becomes `Message`s. No platform is known here."""

from bot.present.boards import Row, Top, accounts, board_file, link_code, streak, top
from bot.present.group import board, isolated, reveal, running, whisper
from bot.present.message import Action, Choice, Message, Verb
from bot.present.notices import notice, refusal
from bot.present.preview import preview
from bot.present.proof import show_me
from bot.present.question import LETTERS, feedback, hint, letter_of, line, question, spoken, words_of
from bot.present.render import render
from bot.present.summary import mistakes, review, reviewable, summary
from bot.present.talk import (
    choosing,
    forgotten,
    help_words,
    nothing_to_ask,
    nothing_to_practise,
    paragraphs,
    practising,
    privacy,
    progress,
    title_of,
    titled,
    unfinished,
    welcome,
)
from bot.present.timing import whole_minutes

__all__ = [
    "LETTERS",
    "Action",
    "Choice",
    "Message",
    "Row",
    "Top",
    "Verb",
    "accounts",
    "board",
    "board_file",
    "choosing",
    "feedback",
    "forgotten",
    "help_words",
    "hint",
    "isolated",
    "letter_of",
    "line",
    "link_code",
    "mistakes",
    "nothing_to_ask",
    "nothing_to_practise",
    "notice",
    "paragraphs",
    "practising",
    "preview",
    "privacy",
    "progress",
    "question",
    "refusal",
    "render",
    "reveal",
    "review",
    "reviewable",
    "running",
    "show_me",
    "spoken",
    "streak",
    "summary",
    "title_of",
    "titled",
    "top",
    "unfinished",
    "welcome",
    "whisper",
    "whole_minutes",
    "words_of",
]
