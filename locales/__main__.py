"""`python -m locales`: new and changed strings of the program go into the catalogues; translations are kept.

English is filled with the message ids, unused messages are dropped, and what still has to be translated is printed.
"""

from __future__ import annotations

import io
import sys
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parent
DOMAIN = "bot"
SOURCE = "en"
"""The language of the message ids."""

KEYWORDS = {"gettext": None, "ngettext": (1, 2), "pgettext": ((1, "c"), 2), "_said": None}
WIDTH = 110
"""Columns of a catalogue. Chosen by us."""


def template() -> Catalog:
    """Every message of the program, without translations."""
    found = Catalog(domain=DOMAIN, fuzzy=False)
    for _, _, message, _, context in extract_from_dir(ROOT.parent / "bot", keywords=KEYWORDS):
        found.add(message, context=context)
    return found


def path_of(tag: str) -> Path:
    """Where the catalogue of a language is."""
    return ROOT / tag / "LC_MESSAGES" / f"{DOMAIN}.po"


def read(tag: str) -> Catalog:
    """The catalogue of a language as it is."""
    with path_of(tag).open("rb") as file:
        return read_po(file, locale=tag, domain=DOMAIN)


def lacks(message: Message) -> bool:
    """Whether a translation, or one of its plural forms, is missing."""
    return not message.string or (isinstance(message.string, tuple | list) and not all(message.string))


def merged(wanted: Catalog, old: Catalog, tag: str) -> Catalog:
    """The catalogue of a language with exactly the wanted messages and what is known of their translations."""
    new = Catalog(locale=tag, domain=DOMAIN, fuzzy=False)
    for message in wanted:
        if not message.id:
            continue
        before = old.get(message.id, message.context)
        string = message.id if tag == SOURCE else before.string if before else ""
        new.add(message.id, string, context=message.context)
    return new


def text_of(catalogue: Catalog) -> str:
    """A catalogue as a file has it: sorted, no places, no dates, a short header that never changes by itself."""
    written = io.BytesIO()
    write_po(written, catalogue, width=WIDTH, sort_output=True, no_location=True, omit_header=True)
    head = ['msgid ""', 'msgstr ""']
    if catalogue.locale:
        head.append(f'"Language: {catalogue.locale}\\n"')
    head += [
        '"MIME-Version: 1.0\\n"',
        '"Content-Type: text/plain; charset=utf-8\\n"',
        '"Content-Transfer-Encoding: 8bit\\n"',
    ]
    if catalogue.locale:
        head.append(f'"Plural-Forms: {catalogue.plural_forms}\\n"')
    return "\n".join([*head, "", written.getvalue().decode().strip(), ""])


def main() -> int:
    """Bring the template and every catalogue up to date; 1 if a translation is missing."""
    wanted = template()
    (ROOT / f"{DOMAIN}.pot").write_text(text_of(wanted), encoding="utf-8")
    missing = 0
    for tag in sorted(path.parent.parent.name for path in ROOT.glob(f"*/LC_MESSAGES/{DOMAIN}.po")):
        catalogue = merged(wanted, read(tag), tag)
        path_of(tag).write_text(text_of(catalogue), encoding="utf-8")
        for message in catalogue:
            if message.id and lacks(message):
                print(f"{tag}: {message.id!r}")  # noqa: T201
                missing += 1
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
