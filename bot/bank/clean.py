"""One normal form for every text that comes from outside: what arrives at a learner is what `clean` returns."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

_BREAKS = re.compile(r"\r\n|[\r\v\f\x1c-\x1e\x85\u2028\u2029]")

_FLAG = r"(?P<flag>\U0001F3F4[\U000E0020-\U000E007E]+\U000E007F)"
_JUNK = (
    r"\x00-\x09\x0e-\x1b\x1f\x7f-\x84\x86-\x9f"  # control characters
    r"\u202a-\u202e"  # embeddings and overrides of direction
    r"\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180e\u200b\u2060-\u2065\u206a-\u206f\u3164\ufeff\uffa0"  # show nothing
    r"\ufff0-\ufffb\U000e0000-\U000e00ff\U000e01f0-\U000e0fff"  # the same: annotations and tags
    r"\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff"  # no characters at all
)
_REMOVED = re.compile(f"{_FLAG}|[{_JUNK}]")
_SELECTORS = r"\ufe00-\ufe0f\U000e0100-\U000e01ef"
_STRAY_SELECTOR = re.compile(rf"(?:\A|(?<=[\s\u200e\u200f\u2066-\u2069{_SELECTORS}]))[{_SELECTORS}]+")
_MARKS = re.compile(r"[\u200e\u200f]+(?=[\u200e\u200f])")
_DROPPED_BY_TELEGRAM = re.compile("[\u030a\u0333\u033f]")
_SUSPECT = re.compile(
    rf"[\r\v\f\x1c-\x1e\x85\u2028\u2029{_JUNK}{_SELECTORS}\u200c-\u200f\u2066-\u2069\u030a\u0333\u033f]"
)
_UNJOINED = ("LATIN", "CYRILLIC", "GREEK", "COMBINING")


def _joins(char: str) -> bool:
    """Whether a joiner beside this character changes what is shown: emoji, and scripts whose letters join."""
    if char in "\ufe0f\u20e3" or unicodedata.category(char) in {"So", "Sk"}:
        return True
    return unicodedata.category(char)[0] in "LM" and not unicodedata.name(char, "").startswith(_UNJOINED)


def _without_idle_joiners(text: str) -> str:
    kept: list[str] = []
    for char, after in zip(text, text[1:] + " ", strict=True):
        if char not in "\u200c\u200d" or (kept and _joins(kept[-1]) and _joins(after)):
            kept.append(char)
    return "".join(kept)


def _balanced(line: str) -> str:
    """A line whose direction isolates are all closed, and none closed that was not opened."""
    depth = 0
    kept = []
    for char in line:
        if "\u2066" <= char <= "\u2068":
            depth += 1
        elif char == "\u2069":
            if not depth:
                continue
            depth -= 1
        kept.append(char)
    return "".join(kept) + "\u2069" * depth


def _once(text: str) -> str:
    text = _BREAKS.sub("\n", text).replace("\t", "    ")
    text = _REMOVED.sub(lambda found: found["flag"] or "", text)
    text = _STRAY_SELECTOR.sub("", _MARKS.sub("", text))
    text = unicodedata.normalize("NFC", text)
    text = unicodedata.normalize("NFC", _DROPPED_BY_TELEGRAM.sub("", text))
    if "\u200c" in text or "\u200d" in text:
        text = _without_idle_joiners(text)
    if any("\u2066" <= char <= "\u2069" for char in text):
        text = "\n".join(map(_balanced, text.strip().split("\n")))
    return text.strip()


def clean(text: str) -> str:
    """The text as every platform can show it, character for character.

    - Line ends of any kind (CR LF, CR, NEL, U+2028, U+2029, …) become a line feed; a tab becomes four spaces.
    - Other control characters, lone surrogates and noncharacters vanish.
    - Embeddings and overrides of direction (U+202A to U+202E) vanish. Isolates stay; in each line those left open are
      closed and those never opened vanish. Of several U+200E and U+200F in a row the last stays.
    - What shows nothing vanishes: zero-width space, word joiner, soft hyphen, byte order mark, fillers, tags. Joiners
      (U+200C, U+200D) stay between emoji and between letters of scripts that join, not in Latin, Cyrillic and Greek;
      a variation selector stays after a character it can vary; tags stay in the emoji of a flag.
    - NFC; the combining marks U+030A, U+0333 and U+033F vanish where NFC has left them by themselves.
    - White space vanishes at both ends of the whole.

    Source: TDLib `clean_input_string` (Telegram drops or changes all of these); the choice of line feeds and four
    spaces where Telegram makes spaces of both is ours.

    Returns:
        The cleaned text, possibly empty. Cleaning it again changes nothing.
    """
    if not _SUSPECT.search(text) and unicodedata.is_normalized("NFC", text):
        return text.strip()
    while (cleaned := _once(text)) != text:
        text = cleaned
    return text


def hidden(text: str) -> tuple[str, ...]:
    """The characters that `clean` takes out of a text although they are more than white space or a way to write.

    Returns:
        Code points such as `U+202E`, each once, in order of appearance; empty for a text that hides nothing.
    """
    if not _SUSPECT.search(text):
        return ()
    before, after = (unicodedata.normalize("NFD", form) for form in (text, clean(text)))
    lost = Counter(before) - Counter(after)
    return tuple(f"U+{ord(char):04X}" for char in dict.fromkeys(before) if lost[char] and not char.isspace())
