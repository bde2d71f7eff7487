"""A folder of content becomes a `Bank`, or every problem in it is found in one run.

Folders and files are read here, an item in `items`; what refers to something else is checked when everything is read.
Each file and each item is looked at once, so the cost grows with the size of the bank and no faster.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, DecimalException
from pathlib import Path

from bot.bank import limits
from bot.bank.bank import Bank, Course, Deck, Entry, Quiz
from bot.bank.fields import LANGUAGES, Log, Table
from bot.bank.items import Home, read_item
from bot.bank.problems import ContentError, Problem
from bot.bank.proofs import read_index
from bot.quiz import ITEM_ID, Blueprint

COURSE_FILE = "course.toml"
TERMS_FILE = "terms.toml"
_MODULE_ID = re.compile(r"[a-z0-9-]{2,32}")
_COURSE_ID = re.compile(r"[a-z0-9-]{2,32}")


@dataclass
class _Reading:
    """What has been read so far. Ids that were seen count as existing even if their item has problems."""

    root: Path
    log: Log = field(default_factory=Log)
    unread: list[str] = field(default_factory=list)
    """Files that could not be read: a name that is not found may stand there."""
    courses: dict[str, Course] = field(default_factory=dict)
    decks: list[Deck] = field(default_factory=list)
    entries: dict[str, list[Entry]] = field(default_factory=dict)
    """By module."""
    quizzes: list[Quiz] = field(default_factory=list)
    items_seen: dict[str, str] = field(default_factory=dict)
    """Id to the file where it was first seen."""
    live: Counter[str] = field(default_factory=Counter)
    """Module to its items that are not retired, sound or not."""
    retired: set[str] = field(default_factory=set)
    modules_seen: dict[str, str] = field(default_factory=dict)
    quizzes_seen: dict[str, str] = field(default_factory=dict)
    references: list[tuple[Table, str, str, Mapping[str, str], str]] = field(default_factory=list)
    """Table, key, name, where it should be, and what it is."""

    def tables(self, path: Path, name: str) -> Table | None:
        """The top table of a file; None if it cannot be read, which is reported."""
        values = read_toml(path, name, self.root, self.log)
        if values is None:
            self.unread.append(name)
            return None
        return Table(values, self.log, name, "")

    def report(self, file: str, what: str, todo: str, rule: str = "file") -> None:
        self.log.problems.append(Problem(file, "", "", what, todo, rule))

    def new(self, table: Table, name: str, seen: dict[str, str], what: str) -> None:
        """Note an id; report it if it is taken."""
        if first := seen.get(name):
            todo = f"choose another id: the first {what} of this name stands in {first}"
            table.problem("id", f"`{name}` is taken", todo, "duplicate")
        elif name:
            seen[name] = table.file

    def refer(self, table: Table, key: str, names: Iterable[str], seen: Mapping[str, str], what: str) -> None:
        """Note a reference, to be checked when everything is read."""
        self.references.extend((table, key, name, seen, what) for name in names)


def _number(text: str) -> Decimal:
    try:
        return Decimal(text)
    except DecimalException:
        return Decimal("nan")


def read_toml(path: Path, name: str, root: Path, log: Log) -> Mapping[str, object] | None:
    """The tables of a file, numbers with a point exact; None if it cannot be read, which is reported."""
    what, todo = "", ""
    if not path.resolve().is_relative_to(root):
        what, todo = "leads out of the content", "put the file itself here instead of a link"
    else:
        try:
            data = path.read_bytes()
            if data.startswith(b"\xef\xbb\xbf"):
                log.problems.append(
                    Problem(name, "", "", "begins with a byte order mark", "save it as UTF-8 without it", "file")
                )
                data = data[3:]
            return tomllib.loads(data.decode(), parse_float=_number)
        except OSError as error:
            what, todo = f"cannot be read ({error.strerror})", "make it a readable file"
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            what, todo = f"is not UTF-8 (line {line})", "save it as UTF-8"
        except RecursionError:
            what, todo = "is nested too deeply", "write flat tables, see docs/content.md"
        except ValueError as error:
            what, todo = f"is not TOML: {error}", "correct this place; nothing else in the file was looked at"
    log.problems.append(Problem(name, "", "", what, todo, "toml" if "TOML" in what else "file"))
    return None


def _course(folder: Path, reading: _Reading) -> None:
    """Read a course's folder: its own file first, then its modules by name of file."""
    name = f"{folder.name}/{COURSE_FILE}"
    languages: tuple[str, ...] = ()
    if not (folder / COURSE_FILE).exists():
        reading.report(name, "is missing", "write it: [course] with id and title, see docs/content.md")
    elif table := reading.tables(folder / COURSE_FILE, name):
        languages = _course_file(table, folder.name, reading)
    modules = sorted(path for path in folder.glob("*.toml") if path.name not in {COURSE_FILE, TERMS_FILE})
    if not modules:
        reading.report(folder.name, "has no modules", "add a file such as 01-first.toml, see docs/content.md")
    proofs = read_index(folder)
    for path in modules:
        if table := reading.tables(path, f"{folder.name}/{path.name}"):
            _module_file(table, folder, reading, languages, proofs)


def _titled(table: Table, languages: Iterable[str] = LANGUAGES) -> dict[str, str]:
    table.require("title", f'write title.{next(iter(languages), "en")} = "…"')
    return table.strings("title", tuple(languages), limits.TITLE, "limit.title")


def _about(table: Table, languages: Iterable[str]) -> dict[str, str]:
    """What a course or quiz is about, in all of some languages or in none."""
    about = table.strings("about", tuple(languages), limits.ABOUT, "limit.about")
    _complete(table, "about", about, languages)
    return about


def _complete(table: Table, key: str, texts: Mapping[str, str], languages: Iterable[str]) -> None:
    raw = table.values.get(key)
    for language in languages:
        if texts and isinstance(raw, dict) and language not in raw:
            table.problem(f"{key}.{language}", "is missing", "write it, as the title of the file has it", "missing")


def _course_file(table: Table, folder: str, reading: _Reading) -> tuple[str, ...]:
    todo = "write [course] with id and title"
    titles: dict[str, str] = {}
    if table.require("course", todo) and (course := table.table("course", todo, "[course]")):
        course.require("id", f'write id = "{folder}"')
        name = course.name("id", _COURSE_ID, "a course id")
        if name and name != folder:
            course.problem("id", f"`{name}` is not the name of the folder", f'write id = "{folder}"', "id")
        titles = _titled(course)
        about = _about(course, titles)
        course.finish()
        if name == folder:
            reading.courses[name] = Course(name, titles, about)
    _quizzes(table, folder, tuple(titles) or LANGUAGES, reading)
    table.finish(lambda key: "items stand in the files of modules" if key in {"item", "deck"} else "")
    return tuple(titles)


def _module_file(
    table: Table,
    folder: Path,
    reading: _Reading,
    course_languages: tuple[str, ...],
    proofs: Mapping[str, object],
) -> None:
    todo = "write [deck] with id and title at the top"
    deck = Deck(table.file, folder.name, {}, 0, where=table.file)  # stands in for a head that is wrong
    languages: tuple[str, ...] = ()
    if table.require("deck", todo) and (head := table.table("deck", todo, "[deck]")):
        head.require("id", todo)
        given = head.name("id", _MODULE_ID, "a module id")
        reading.new(head, given, reading.modules_seen, "module")
        module = given if reading.modules_seen.get(given) == table.file else table.file
        titles = _titled(head)
        languages = tuple(titles)
        head.require("order", "write its place in the list of modules, such as order = 1")
        order = head.whole("order", 0, 999)
        needs = head.names("needs", _MODULE_ID, "a module id")
        reading.refer(head, "needs", needs, reading.modules_seen, "module")
        if given in needs:
            head.problem("needs", f"`{given}` needs itself", "take it out", "reference")
        seed = head.flag("seed", False)
        head.finish()
        deck = Deck(module, folder.name, titles, order or 0, needs, seed, table.file)
    reading.decks.append(deck)
    languages = languages or course_languages or LANGUAGES
    home = Home(reading.root, folder, table.file, deck.id, languages, proofs)
    for count, values in table.tables("item", "write [[item]] with two brackets"):
        name = values.get("id")
        item = Table(values, reading.log, table.file, name if isinstance(name, str) and name else f"item {count}")
        entry = read_item(item, home)
        retired = values.get("retired") is True
        reading.live[deck.id] += not retired
        if isinstance(name, str) and ITEM_ID.fullmatch(name):
            if first := reading.items_seen.get(name):
                item.item = f"{name} (item {count})"
            reading.new(item, name, reading.items_seen, "item")
            if retired:
                reading.retired.add(name)
            if isinstance(twin := values.get("twin"), str) and ITEM_ID.fullmatch(twin):
                reading.refer(item, "twin", [twin], reading.items_seen, "item")
                if twin == name:
                    item.problem("twin", "names the item itself", "name the other item", "reference")
            if entry and not first:
                reading.entries.setdefault(deck.id, []).append(entry)
    if "item" not in table:
        table.problem("", "has no items", "add an [[item]], see docs/content.md", "missing")
    _quizzes(table, folder.name, languages, reading)
    table.finish()


def _quizzes(file: Table, course: str, languages: tuple[str, ...], reading: _Reading) -> None:
    for number, values in file.tables("quiz", "write [[quiz]] with two brackets"):
        name = values.get("id")
        item = f"[[quiz]] {name}" if isinstance(name, str) and name else f"quiz {number}"
        quiz = _quiz(Table(values, reading.log, file.file, item), course, languages, reading)
        if quiz:
            reading.quizzes.append(quiz)


def _quiz(table: Table, course: str, languages: tuple[str, ...], reading: _Reading) -> Quiz | None:
    before = table.found
    table.require("id", "give the quiz an id that it keeps for ever")
    name = table.name("id", ITEM_ID, "a quiz id")
    reading.new(table, name, reading.quizzes_seen, "quiz")
    titles = _titled(table, languages)
    _complete(table, "title", titles, languages)
    about = _about(table, languages)
    items = table.names("items", ITEM_ID, "an item id")
    modules = table.names("modules", _MODULE_ID, "a module id")
    reading.refer(table, "items", items, reading.items_seen, "item")
    reading.refer(table, "modules", modules, reading.modules_seen, "module")
    if ("items" in table) == ("modules" in table):
        what = "has both items and modules" if "items" in table else "has neither items nor modules"
        table.problem("", what, 'write items = ["…"] or modules = ["…"]', "kind")
    for key in ("items", "modules"):
        if table.values.get(key) == []:
            table.problem(key, "is empty", "name at least one", "empty")
    count = table.whole("count", 1, 999)
    if "count" in table and "modules" not in table:
        table.problem("count", "goes with modules only", "take it out, or draw from modules", "kind")
    drawn = count is not None and bool(modules)
    random = table.one_of("order", ("fixed", "random"), "random" if drawn else "fixed") == "random"
    shuffle = table.flag("shuffle", True)
    exam = table.one_of("mode", ("learn", "exam"), "learn") == "exam"
    minutes = table.whole("minutes", 1, limits.MINUTES)
    if "minutes" in table and not exam:
        table.problem("minutes", 'goes with mode = "exam" only', 'take it out, or write mode = "exam"', "kind")
    daily = table.flag("daily", False)
    table.finish(lambda key: "it belongs to an item: move it above [[quiz]]" if key in {"proof", "waive"} else "")
    if table.found > before:
        return None
    blueprint = Blueprint(name, items, modules, count, random, shuffle)
    return Quiz(blueprint, course, titles, about, exam, minutes, daily)


def _references(reading: _Reading) -> None:
    """Report every name of something that is not there."""
    doubt = f", unless it stands in {', '.join(reading.unread)}, which could not be read" if reading.unread else ""
    for table, key, name, seen, what in reading.references:
        if name not in seen:
            todo = f"correct the name or add the {what}{doubt}"
            table.problem(key, f"there is no {what} `{name}`", todo, "reference")


def _relations(reading: _Reading) -> None:
    """Report what contradicts something else that is there."""
    needs = {deck.id: deck.needs for deck in reading.decks}
    for deck in reading.decks:
        reached, waiting = set[str](), list(deck.needs)
        while waiting:
            other = waiting.pop()
            if other not in reached:
                reached.add(other)
                waiting.extend(needs.get(other, ()))
        if deck.id in reached and deck.id not in deck.needs:
            what = f"`{deck.id}` needs itself through other modules"
            todo = "take one module out of the circle"
            reading.log.problems.append(Problem(deck.where, "[deck]", "needs", what, todo, "reference"))
    for quiz in reading.quizzes:
        blueprint = quiz.blueprint
        where, item = reading.quizzes_seen[blueprint.id], f"[[quiz]] {blueprint.id}"
        for name in blueprint.items:
            if name in reading.retired:
                what, todo = f"`{name}` is retired and never asked", "take it out"
                reading.log.problems.append(Problem(where, item, "items", what, todo, "reference"))
        there = sum(reading.live[module] for module in blueprint.modules)
        if blueprint.count is not None and blueprint.count > there:
            what, todo = f"asks for {blueprint.count} of {there} items", "lower it, or add items"
            reading.log.problems.append(Problem(where, item, "count", what, todo, "number"))
    for name in reading.quizzes_seen.keys() & reading.items_seen.keys():
        what, todo = f"`{name}` is also the id of an item", "rename the quiz: both can be asked for by id"
        reading.log.problems.append(
            Problem(reading.quizzes_seen[name], f"[[quiz]] {name}", "id", what, todo, "duplicate")
        )


def read(root: Path) -> tuple[Bank, list[Problem]]:
    """As much of a bank as is sound, and every problem of the rest. Items stay if only the head of their file is wrong.

    Args:
        root: The folder that holds the courses' folders.

    Returns:
        The bank, possibly empty, and the problems by file, then in the order found.
    """
    shown = root
    root = root.resolve()
    reading = _Reading(root)
    folders: list[Path] = []
    try:
        inside = sorted(root.iterdir())
    except FileNotFoundError:
        reading.report(".", f"the folder {shown} does not exist", "correct the path or create the folder")
    except NotADirectoryError:
        reading.report(".", f"{shown} is a file, not a folder", "name the folder that holds the courses")
    except OSError as error:
        reading.report(".", f"the folder {shown} cannot be read ({error.strerror})", "make it readable")
    else:
        folders = [path for path in inside if path.is_dir() and not path.name.startswith((".", "_"))]
        for path in inside:
            if path.suffix == ".toml":
                reading.report(path.name, "stands outside a course", "move it into the folder of a course")
        if not folders and not len(reading.log):
            reading.report(".", f"the folder {shown} has no courses", "add a folder with course.toml and modules")
    for folder in folders:
        if folder.resolve().is_relative_to(root):
            _course(folder, reading)
        else:
            reading.report(folder.name, "leads out of the content", "put the folder itself here instead of a link")
    _references(reading)
    _relations(reading)
    decks = sorted(reading.decks, key=lambda deck: (deck.course, deck.order, deck.where))
    bank = Bank(
        root=root,
        courses=dict(sorted(reading.courses.items())),
        decks={deck.id: deck for deck in decks},
        entries={entry.item.id: entry for deck in decks for entry in reading.entries.get(deck.id, [])},
        quizzes={quiz.blueprint.id: quiz for quiz in _ordered(reading, decks)},
    )
    return bank, sorted(reading.log.problems, key=lambda problem: problem.file)


def _ordered(reading: _Reading, decks: Sequence[Deck]) -> list[Quiz]:
    """Quizzes by course; within it those of modules as the modules follow, then those of the course's own file."""
    places = {deck.where: place for place, deck in enumerate(decks)}

    def place(quiz: Quiz) -> tuple[str, int]:
        return quiz.course, places.get(reading.quizzes_seen[quiz.blueprint.id], len(places))

    return sorted(reading.quizzes, key=place)


def load(root: Path) -> Bank:
    """The bank of a folder.

    Args:
        root: The folder that holds the courses' folders.

    Returns:
        All courses, without a problem except those of style, which `lint` finds.

    Raises:
        ContentError: Something is wrong; every problem is in it.
    """
    bank, problems = read(root)
    if problems:
        raise ContentError(problems)
    return bank
