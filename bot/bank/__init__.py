"""Content: TOML decks become an immutable `Bank`, or every problem found in them."""

from bot.bank.bank import Bank, Course, Deck, Entry, Option, Proof, Quiz, Source, Words
from bot.bank.clean import clean, hidden
from bot.bank.lint import check, lint
from bot.bank.load import load
from bot.bank.markup import parse
from bot.bank.problems import ContentError, Problem
from bot.bank.words import Block, Code, Paragraph, Picture, Rich, Span, plain

__all__ = [
    "Bank",
    "Block",
    "Code",
    "ContentError",
    "Course",
    "Deck",
    "Entry",
    "Option",
    "Paragraph",
    "Picture",
    "Problem",
    "Proof",
    "Quiz",
    "Rich",
    "Source",
    "Span",
    "Words",
    "check",
    "clean",
    "hidden",
    "lint",
    "load",
    "parse",
    "plain",
]
