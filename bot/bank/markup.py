"""The author's markup becomes spans and blocks, once; nobody parses it again.

Markup is only: `code spans`, **bold**, fenced code and [links](https://example.org) to http or https. Everything else
is shown as it was typed: `_`, single and triple `*`, `#`, `>`, `1.`, `<b>`, `||`, `~~~`, `&amp;`, `![image](…)` and
every backslash. There is no escape character: a backtick or `**` to be shown stands inside a code span of more
backticks. A fence, a code span, bold or a link that is not complete is no markup. A line break inside a code span is a
space; the title of a link is not shown.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from bot.bank.words import Block, Code, Paragraph, Rich, Span

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

_MARKUP = re.compile(r"`|\*\*|\]\(")
_WEB = re.compile(r"https?://[^/\s]", re.IGNORECASE)


@cache
def _parser() -> MarkdownIt:
    """The parser, built at first use: markdown-it costs more than all plain texts together."""
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import fence
    from markdown_it.rules_inline import emphasis, link

    def closed_fence(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        opening = re.match(r" {0,3}(`{3,})[^`]*$", _line(state, start))
        if not opening:
            return False
        closing = re.compile(rf" {{0,3}}`{{{len(opening[1])},}} *$")
        return any(closing.match(_line(state, n)) for n in range(start + 1, end)) and fence(state, start, end, silent)

    def prose(state: StateBlock, start: int, end: int, _silent: bool) -> bool:
        """All lines up to the next fence, blank ones included, as they stand."""
        line = start + 1
        while line < end and not closed_fence(state, line, end, silent=True):
            line += 1
        state.line = line
        token = state.push("inline", "", 0)
        token.content = state.getLines(start, line, 0, False).strip("\n")
        token.children = []
        return True

    def bold(state: StateInline, silent: bool) -> bool:
        if state.src[state.pos] != "*":
            return False
        run = state.scanDelims(state.pos, canSplitWord=True).length
        if run == 2:
            return emphasis.tokenize(state, silent)
        if not silent:
            state.push("text", "", 0).content = "*" * run
        state.pos += run
        return True

    def shown_link(state: StateInline, silent: bool) -> bool:
        """A link, unless it has nothing to show or is an image."""
        image = state.pos > 0 and state.src[state.pos - 1] == "!"
        if image or re.compile(r"\[\s*\]").match(state.src, state.pos):
            return False
        return link(state, silent)

    md = MarkdownIt("zero", {"maxNesting": 20})
    md.block.ruler.at("paragraph", prose)
    md.block.ruler.before("paragraph", "closed_fence", closed_fence)
    md.inline.ruler.at("emphasis", bold)
    md.inline.ruler.at("link", shown_link)
    md.enable(["backticks", "emphasis", "link", "closed_fence"])
    md.validateLink = lambda url: bool(_WEB.match(url))  # type: ignore[method-assign]
    return md


def _line(state: StateBlock, number: int) -> str:
    return state.src[state.bMarks[number] : state.eMarks[number]]


def _spans(tokens: list[Token]) -> tuple[Span, ...]:
    spans: list[Span] = []
    bold = False
    link: str | None = None
    for token in tokens:
        match token.type:
            case "strong_open" | "strong_close":
                bold = token.type == "strong_open"
            case "link_open":
                link = str(token.attrs["href"])
            case "link_close":
                link = None
            case kind if token.content:
                span = Span(token.content, bold, kind == "code_inline", link=link)
                if spans and not span.code and spans[-1] == Span(spans[-1].text, bold, link=link):
                    spans[-1] = Span(spans[-1].text + span.text, bold, link=link)
                else:
                    spans.append(span)
    return tuple(spans)


def parse(text: str) -> Rich:
    """Author's text as blocks.

    Args:
        text: As `clean` returns it.

    Returns:
        A paragraph for all text between two fences (blank lines stay in it as line feeds) and a block for each fence;
        empty for an empty text.
    """
    if not text:
        return ()
    if not _MARKUP.search(text):
        return (Paragraph((Span(text),)),)
    blocks: list[Block] = []
    for token in _parser().parse(text):
        if token.type == "fence":
            blocks.append(Code(token.content.rstrip("\n"), token.info.strip()))
        elif token.children and (spans := _spans(token.children)):
            blocks.append(Paragraph(spans))
    return tuple(blocks)
