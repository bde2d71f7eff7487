"""What is wrong in the content, said so that its author can mend it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Problem:
    """One mistake: where it is, what it is and what to do."""

    file: str
    """Relative to the bank's root, with `/`; `.` for what concerns the whole bank."""
    item: str
    """An item's id, `[deck]`, `[course]`, `[[quiz]] id` or `item 3` for an item without a usable id; may be empty."""
    field: str
    """Dotted as in TOML; may be empty."""
    what: str
    todo: str
    rule: str
    """`style.…` may be waived in the item, everything else may not."""

    def __str__(self) -> str:
        """`file: item: field: what is wrong: what to do`, without the parts that are empty, one line."""
        line = ": ".join(filter(None, (self.file, self.item, self.field, self.what, self.todo)))
        return f"{line} ({self.rule})" if self.rule.startswith("style.") else line


class ContentError(Exception):
    """The content cannot be used as it is."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        """At least one, by file, then in the order found."""
        super().__init__("\n".join(map(str, self.problems)))
