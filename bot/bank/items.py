"""One `[[item]]` becomes an `Entry`, or its problems are reported."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from urllib.parse import urlsplit

from bot.bank import limits
from bot.bank.bank import Entry, Option, Proof, Source, Words
from bot.bank.fields import Table
from bot.bank.proofs import dated, files_of, read_proof
from bot.bank.rules import STYLE
from bot.bank.words import Paragraph, Picture, Rich, plain
from bot.quiz import ITEM_ID, OPTION_ID, Item, Kind, Number, normalise

PROOF = re.compile(r"[a-z0-9-]+")
_FACT = re.compile(r"[A-Za-z0-9][A-Za-z0-9.-]{0,15}")
_IMAGES = (".png", ".jpg", ".jpeg")
_KEYS = frozenset({
    *("id", "kind", "key", "level", "facts", "source", "stem", "hint", "explanation", "brief", "options", "answer"),
    *("accept", "proof", "valid_for", "twin", "image", "retired", "shuffle", "fixed", "waive"),
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Home:
    """Where an item comes from."""

    root: Path
    """Resolved."""
    folder: Path
    """The course's folder, under root."""
    where: str
    """The module's file, relative to root."""
    module: str
    languages: tuple[str, ...]
    """Those of the module's title; at least one."""
    proofs: Mapping[str, object]
    """The index of the course's proofs, as it was read."""

    def lacks(self, path: str) -> str:
        """What is wrong with a path relative to the course's folder; empty if a file is there."""
        file = self.folder / path
        if Path(path).is_absolute() or not file.resolve().is_relative_to(self.root):
            return "leads out of the content"
        return "" if file.is_file() else "does not exist"


def read_item(table: Table, home: Home) -> Entry | None:
    """The item of a table.

    Args:
        table: The item's table; its `item` names it in messages.
        home: Where it stands.

    Returns:
        The item; None if a problem was reported. References to other items are not checked.
    """
    before = table.found
    table.require("id", "give the item an id that it keeps for ever")
    name = table.name("id", ITEM_ID, "an item id")
    table.require("kind", "write one of " + ", ".join(f'"{kind}"' for kind in Kind))
    kind = _kind(table)
    table.require("level", "write a number from 1 (recall) to 5 (expert)")
    level = table.whole("level", 1, 5)
    options, texts = _options(table, home) if kind in (Kind.SINGLE, Kind.MULTIPLE) else ({}, {})
    key = table.names("key", OPTION_ID, "an option id") if kind in (Kind.SINGLE, Kind.MULTIPLE) else ()
    fixed = table.names("fixed", OPTION_ID, "an option id")
    _check_key(table, kind, key, fixed, tuple(options))
    answer = _answer(table) if kind is Kind.NUMBER else None
    accept = _accept(table, home.languages) if kind is Kind.TEXT else {}
    _refuse_foreign(table, kind)

    stem = table.words("stem", home.languages, limits.STEM, "limit.stem")
    hint = table.words("hint", home.languages, limits.HINT, "limit.hint")
    explanation = table.words("explanation", home.languages, limits.EXPLANATION, "limit.explanation")
    brief = table.words("brief", home.languages, limits.BRIEF, "limit.brief")
    for language, short in brief.items():
        if (lines := plain(short).count("\n")) > limits.BRIEF_LINES:
            what = f"has {lines} line feeds, the limit is {limits.BRIEF_LINES}"
            table.problem(f"brief.{language}", what, "join some lines", "limit.brief")
    pictures = _image(table, home)
    _check_question(table, home.languages, stem, texts)
    missing = _missing(table, kind, home.languages, tuple(options))

    shuffle = table.flag("shuffle", True)
    retired = table.flag("retired", False)
    sources = _sources(table)
    facts = table.names("facts", _FACT, "the id of a fact")
    proof = _proof(table, home)
    valid_for = table.string("valid_for", limits.VERSION, "limit.version")
    twin = table.name("twin", ITEM_ID, "an item id")
    waive = _waive(table)
    table.finish()
    if table.found > before or level is None or kind is None:
        return None
    words = {
        language: Words(
            stem=stem[language],
            hint=hint.get(language, ()),
            explanation=explanation[language],
            brief=plain(brief.get(language, ())),
            options={option: each[language] for option, each in options.items()},
            accept=accept.get(language, ()),
            image=pictures.get(language),
            brief_marked=brief.get(language, ()),
        )
        for language in home.languages
        if language not in missing
    }
    item = Item(name, kind, tuple(options), frozenset(key), answer, home.module, level, shuffle, frozenset(fixed))
    return Entry(item, words, sources, facts, home.where, retired, proof, valid_for, twin, waive, missing)


def _kind(table: Table) -> Kind | None:
    """The kind an item names; if it names none, the kind its fields point to, so that they can be checked."""
    if name := table.one_of("kind", list(Kind), ""):
        return Kind(name)
    signs = {"options": Kind.SINGLE, "answer": Kind.NUMBER, "accept": Kind.TEXT}
    return next((kind for field, kind in signs.items() if field in table), None)


def _options(table: Table, home: Home) -> tuple[dict[str, dict[str, Option]], dict[str, dict[str, Rich]]]:
    """Options by id and language, and their texts alone by language and id."""
    options: dict[str, dict[str, Option]] = {}
    texts: dict[str, dict[str, Rich]] = {language: {} for language in home.languages}
    if not table.require("options", "write [item.options.a] and so on below the item"):
        return options, texts
    group = table.table("options", "write [item.options.a] and so on below the item")
    if group is None:
        return options, texts
    if not 2 <= len(group.values) <= limits.OPTIONS:
        what = f"are {len(group.values)}, not 2 to {limits.OPTIONS}"
        table.problem("options", what, "add or take out options, or make two items of it", "limit.options")
    for name, values in group.values.items():
        group.identifier("", name, OPTION_ID, "an option id")
        if not isinstance(values, dict):
            group.problem(name, "is not a table", f"write [item.options.{name}] with en = and ru = below it", "type")
            continue
        options[name] = _option(group.below(name, values), home.languages, f"[item.options.{name}]")
        for language, option in options[name].items():
            texts[language][name] = option.text
    for language, each in texts.items():
        seen: dict[str, str] = {}
        for name, text in each.items():
            if text and (first := seen.setdefault(_folded(text), name)) != name:
                what = f"reads the same as option {first}"
                group.problem(f"{name}.{language}", what, "make the two options differ, or take one out", "duplicate")
    return options, texts


def _option(table: Table, languages: Sequence[str], header: str) -> dict[str, Option]:
    texts = {
        language: table.rich(language, table.ask(language), limits.OPTION, "limit.option")
        for language in languages
        if language in table
    }
    for language, text in texts.items():
        if len(text) > 1 or not all(isinstance(block, Paragraph) for block in text):
            table.problem(language, "has a code block", "move the block into the stem", "markup")
    why = table.words("why", languages, limits.WHY, "limit.why")
    for language in languages:
        table.ask(language)

    def explain(key: str) -> str:
        if key in _KEYS:
            return f"`{key}` stands after {header} and belongs to that option: move it above the first option"
        return "add the language to the title of the module first" if len(key) == 2 else ""

    table.finish(explain)
    return {language: Option(text, why.get(language, ())) for language, text in texts.items()}


def _folded(text: Rich) -> str:
    """What a reader could not tell apart: case and spaces of text, not of code. NFC was made by `clean`."""
    parts = [
        span.text if span.code else span.text.casefold()
        for block in text
        if isinstance(block, Paragraph)
        for span in block.spans
    ]
    return " ".join("".join(parts).split())


def _check_key(
    table: Table, kind: Kind | None, key: Sequence[str], fixed: Sequence[str], options: Sequence[str]
) -> None:
    for field, names in (("key", key), ("fixed", fixed)):
        for name in names:
            if options and name not in options:
                todo = "name one of " + ", ".join(options)
                table.problem(field, f"`{name}` is not among the options", todo, "reference")
    if kind in (Kind.SINGLE, Kind.MULTIPLE):
        table.require("key", 'write key = ["a"] with the right option')
        if table.values.get("key") == []:
            table.problem("key", "is empty", "name the right option", "empty")
    if kind is Kind.SINGLE and len(key) > 1:
        table.problem("key", f"names {len(key)} options", 'name one, or write kind = "multiple"', "kind")


def _refuse_foreign(table: Table, kind: Kind | None) -> None:
    """Report the fields that belong to items of another kind."""
    owners = {
        "key": (Kind.SINGLE, Kind.MULTIPLE),
        "options": (Kind.SINGLE, Kind.MULTIPLE),
        "fixed": (Kind.SINGLE, Kind.MULTIPLE),
        "answer": (Kind.NUMBER,),
        "accept": (Kind.TEXT,),
    }
    for field, kinds in owners.items():
        if table.ask(field) is not None and kind and kind not in kinds:
            todo = "take it out, or correct `kind`"
            table.problem(field, f'does not belong to an item of kind = "{kind}"', todo, "kind")


def _answer(table: Table) -> Number | None:
    todo = "write answer = {value = 3, tolerance = 0}"
    if not table.require("answer", todo):
        return None
    answer = table.table("answer", todo)
    if answer is None:
        return None
    answer.require("value", todo)
    value = answer.number("value")
    tolerance = answer.number("tolerance")
    if tolerance is not None and tolerance < 0:
        answer.problem("tolerance", f"is {tolerance}", "write 0 or more", "number")
    answer.finish()
    return None if value is None else Number(value, tolerance or Decimal(0))


def _accept(table: Table, languages: Sequence[str]) -> dict[str, tuple[str, ...]]:
    todo = 'write accept.en = ["…"] and accept.ru = ["…"], the form to be shown first'
    table.require("accept", todo)
    accept = {}
    for language, values in table.languages("accept", languages).items():
        field = f"accept.{language}"
        if not isinstance(values, list) or not values:
            table.problem(field, "is not a list with at least one form", todo, "type")
            continue
        if len(values) > limits.ACCEPTED:
            table.problem(field, f"has {len(values)} forms", f"keep at most {limits.ACCEPTED}", "limit.accept")
        forms: dict[str, str] = {}
        for value in values:
            form = table.form(field, value, limits.ACCEPT, "limit.accept")
            normal = normalise(form)
            if form and not normal:
                table.problem(field, f"`{form}` is only marks", "write a form that a learner can type", "empty")
            elif form.startswith("/"):
                todo = "write it without the slash, and name the slash in the stem"
                table.problem(field, f"`{form}` begins with a slash, which chats take for a command", todo, "value")
            elif normal in forms:
                todo = "take it out: case, quotes, dashes and spaces are ignored anyway"
                table.problem(field, f"`{form}` is the same as `{forms[normal]}`", todo, "duplicate")
            forms.setdefault(normal, form)
        accept[language] = tuple(forms.values())
    return accept


def _image(table: Table, home: Home) -> dict[str, Picture]:
    todo = 'write image = {file = "images/x.png", alt.en = "…", alt.ru = "…"}'
    image = table.table("image", todo)
    if image is None:
        return {}
    image.require("file", todo)
    image.require("alt", todo)
    path = image.string("file", 200, "limit.image")
    alt = image.strings("alt", home.languages, limits.ALT, "limit.alt")
    image.finish()
    if not path:
        return {}
    if lack := home.lacks(path):
        image.problem("file", f"`{path}` {lack}", "give a path relative to the course's folder", "file")
        return {}
    file = (home.folder / path).resolve()
    if file.suffix.lower() not in _IMAGES:
        image.problem("file", f"`{path}` is no image that every platform shows", "use .png or .jpg", "file")
    if (size := file.stat().st_size) > limits.IMAGE_BYTES:
        image.problem("file", f"has {size} bytes, the limit is {limits.IMAGE_BYTES}", "make it smaller", "limit.image")
    return {language: Picture(file.relative_to(home.root).as_posix(), text) for language, text in alt.items()}


def _check_question(
    table: Table, languages: Sequence[str], stem: Mapping[str, Rich], texts: Mapping[str, Mapping[str, Rich]]
) -> None:
    for language in languages:
        size = limits.cost(stem.get(language, ())) + sum(map(limits.cost, texts.get(language, {}).values()))
        if size > limits.QUESTION:
            what = f"stem and options in {language} need {size} characters together, the limit is {limits.QUESTION}"
            table.problem("", what, f"shorten them by {size - limits.QUESTION}", "limit.question")


def _missing(
    table: Table, kind: Kind | None, languages: Sequence[str], options: Sequence[str]
) -> dict[str, tuple[str, ...]]:
    """What each language lacks; if none is complete, that is reported."""
    table.require("stem", "write it in every language of the module")
    table.require("explanation", "write it in every language of the module")
    fields = {name: table.values.get(name) for name in ("stem", "hint", "explanation", "brief")}
    if kind is Kind.TEXT:
        fields["accept"] = table.values.get("accept")
    if isinstance(image := table.values.get("image"), dict):
        fields["image.alt"] = image.get("alt")
    group = table.values.get("options")
    for name in options:
        option = group.get(name) if isinstance(group, dict) else None
        assert isinstance(option, dict)  # only tables became options
        fields[f"options.{name}"] = option
        fields[f"options.{name}.why"] = option.get("why", {})
    present = {name: value for name, value in fields.items() if isinstance(value, dict)}
    missing = {
        language: lacks
        for language in languages
        if (lacks := tuple(name for name, value in present.items() if language not in value))
    }
    if len(missing) == len(languages):
        begun = {language: lacks for language, lacks in missing.items() if len(lacks) < len(present)} or missing
        for language, lacks in begun.items():
            for name in lacks:
                table.problem(f"{name}.{language}", "is missing", "write it: no language is complete", "missing")
    return missing


def _proof(table: Table, home: Home) -> Proof | None:
    name = table.name("proof", PROOF, "the name of a proof")
    if not name:
        return None
    before = table.found
    for file in (path.relative_to(home.folder).as_posix() for path in files_of(home.folder, name)):
        if lack := home.lacks(file):
            table.problem("proof", f"`{file}` {lack}", "add the file beside the module, or correct the name", "file")
    if table.found > before:
        return None
    try:
        return dated(read_proof(home.folder, name), home.proofs)
    except (OSError, UnicodeDecodeError) as error:
        table.problem("proof", f"`{name}` cannot be read ({error})", "make both files readable UTF-8", "file")
        return None


def _sources(table: Table) -> tuple[Source, ...]:
    sources = []
    todo = 'write source = [{title = "…", url = "https://…", version = "…"}]'
    for number, values in table.tables("source", todo):
        source = table.below(f"source[{number}]", values)
        source.require("title", todo)
        title = source.string("title", limits.SOURCE_TITLE, "limit.source")
        url = source.string("url", limits.SOURCE_URL, "limit.source")
        version = source.string("version", limits.VERSION, "limit.version")
        if url and not _is_web(url):
            source.problem("url", f"`{url}` is not a web address", "write it with https://", "value")
        source.finish(lambda key: "it belongs to the item: move it above the source" if key in _KEYS else "")
        sources.append(Source(title, url, version))
    if len(sources) > limits.SOURCES:
        table.problem("source", f"has {len(sources)} entries", f"keep at most {limits.SOURCES}", "limit.source")
    return tuple(sources)


def _is_web(url: str) -> bool:
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and bool(parts.netloc) and not re.search(r"\s", url)


def _waive(table: Table) -> dict[str, str]:
    waivers = table.table("waive", 'write waive = {"style.length" = "the reason"}')
    if waivers is None:
        return {}
    reasons = {}
    for rule, value in waivers.values.items():
        if rule.startswith("limit."):
            waivers.problem(rule, "cannot be waived: it is a limit of the platforms", "shorten the text", "waive")
        elif rule not in STYLE:
            todo = "the rules are " + ", ".join(STYLE)
            if isinstance(value, dict):
                todo = 'put the rule in quotes: "style.length" = "the reason"'
            waivers.problem(rule, "is not a rule that an item may waive", todo, "waive")
        elif not isinstance(value, str) or not value.strip():
            waivers.problem(rule, "is waived without a reason", "write the reason as a string", "waive")
        else:
            reasons[rule] = waivers.string(rule, limits.REASON, "limit.reason")
    return reasons
