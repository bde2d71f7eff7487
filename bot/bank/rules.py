"""The style rules by name: what `waive` may name and what each asks for. Source: our editorial rules R1 to R24."""

from __future__ import annotations

from collections.abc import Mapping

STYLE: Mapping[str, str] = {
    "style.source": "an item names its source (R1)",
    "style.negative": "no negative stem; if it must be, NOT or НЕ in capitals and in at most 5 % of the items (R7)",
    "style.long": "stem at most 200 characters (a scenario 350), option 80; explanation 2 or 3 sentences (R8)",
    "style.reference": "nothing refers to an option by its letter or place: options are shuffled (R9, R18)",
    "style.length": "key at most 1.25 times the mean distractor, longest option at most 1.8 times the shortest (R10)",
    "style.absolute": "no never, always, only, every, all, guarantee in distractors alone (R13)",
    "style.hedge": "no may, might, typically, usually, often in the key alone (R13)",
    "style.clang": "no rare word of the stem in the key alone (R14)",
    "style.code": "each field has the same code in every language (R22)",
    "style.alphabet": "no Latin words in Russian outside code and `latin` of terms.toml, no Cyrillic in English (R23)",
    "style.quotes": "guillemets in Russian, none in English (R23)",
    "style.dash": "a long dash with spaces between words, no hyphen and no short dash (R23)",
    "style.space": "a no-break space between a number and its unit (R23)",
    "style.yo": "«ё» where it belongs (R23)",
    "style.term": "one term per concept: no word that terms.toml avoids (R24)",
}
"""Rules for one item, waivable in it with a reason."""

BANK_STYLE: Mapping[str, str] = {
    "style.negative": "at most 5 % of the items have a negative stem (R7)",
    "style.key-length": "the key is the longest option in 20 to 30 % of the items, the shortest in 20 to 30 % (R10)",
    "style.position": "the key stands at each place equally often, never more than 3 times in a row (R11)",
}
"""Rules over many items: from 40 live items on, without seed decks; not waivable."""
