"""Content as authors write it: a course of one sound item, to be spoilt in one place by a test."""

from __future__ import annotations

from pathlib import Path

COURSE = """\
[course]
id = "trees"
title.en = "Trees"
title.ru = "Деревья"
about.en = "How to tell a tree by its leaves."
about.ru = "Как узнать дерево по листьям."
"""

DECK = """\
[deck]
id = "leaves"
title.en = "Leaves"
title.ru = "Листья"
order = 1
"""

ITEM = """\
[[item]]
id = "leaf-of-the-oak"
kind = "single"
key = ["b"]
level = 1
source = [{title = "A field guide", url = "https://example.org/trees", version = "2nd edition"}]
stem.en = "What does the edge of an oak leaf look like?"
stem.ru = "Как выглядит край дубового листа?"
hint.en = "Think of waves."
hint.ru = "Вспомните волны."
explanation.en = "An oak leaf has rounded lobes. Each lobe ends where a side vein ends."
explanation.ru = "У дубового листа округлые лопасти. Каждая заканчивается там, где кончается боковая жилка."
brief.en = "Rounded lobes, one for each side vein."
brief.ru = "Округлые лопасти, по одной на боковую жилку."
[item.options.a]
en = "It is smooth"
ru = "Он гладкий"
why.en = "Smooth edges are found on a beech."
why.ru = "Гладкий край бывает у бука."
[item.options.b]
en = "It is lobed"
ru = "Лопастной"
why.en = "The lobes follow the veins."
why.ru = "Лопасти следуют за жилками."
[item.options.c]
en = "It is toothed"
ru = "Зубчатый"
why.en = "Teeth are found on a birch."
why.ru = "Зубцы бывают у берёзы."
"""


def write(root: Path, files: dict[str, str | bytes]) -> Path:
    """A folder of content with these files."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return root


def course(root: Path, item: str = ITEM, deck: str = DECK, **more: str) -> Path:
    """The sound course, with another item or deck, or with more files in its folder (`__` stands for a full stop)."""
    files: dict[str, str | bytes] = {"trees/course.toml": COURSE, "trees/01-leaves.toml": f"{deck}\n{item}"}
    return write(root, files | {f"trees/{name.replace('__', '.')}": text for name, text in more.items()})


def changed(text: str, *changes: tuple[str, str]) -> str:
    """A text with some places replaced; each must be there."""
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return text
