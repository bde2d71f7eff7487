"""The commands: names, options, help. What they do lies in the modules beside, imported when needed."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from pathlib import Path

import click

from bot import __version__
from bot.app import catalogues, new_id
from bot.cli.localised import Command, Group, usage_problem
from bot.i18n import Language
from bot.log import incident
from bot.settings import LANGUAGES, Settings, SettingsError

PLATFORMS = ("telegram", "discord", "terminal")
"""Where people can be known."""

WIDTH = 88
"""Columns of a help page at most. Chosen by us."""


def run(arguments: list[str], environ: Mapping[str, str]) -> int:
    """Carry out one command line.

    Returns:
        The exit code: 0 well, 1 something was found wrong, 2 it could not start, 3 a bug, 130 interrupted.
    """
    t = _language(arguments, environ)
    try:
        done = build(t, environ).main(arguments, prog_name="kontrolka", standalone_mode=False, max_content_width=WIDTH)
        return int(done or 0)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.ctx.get_help() if error.ctx else "")
        return 2
    except click.ClickException as error:
        click.echo(usage_problem(error, t), err=True)
        return 2
    except (click.Abort, KeyboardInterrupt):
        click.echo(err=True)
        return 130
    except Exception as error:  # noqa: BLE001 it is logged, and the person is told
        from bot.cli.problems import explained

        words = explained(error, t)
        if words is None:
            return _bug(error, t)
        click.echo(words, err=True)
        return 2


def _bug(error: Exception, t: Language) -> int:
    """Log what should not have happened; the person gets the number to report instead of a traceback."""
    log = logging.getLogger(__name__)
    number = incident(log, error, new_id, "a command")
    click.echo(
        t.gettext(
            "Something went wrong that should never happen. Nothing that was confirmed is lost. Report number "
            "{number} together with the line above that contains it.",
            number=number,
        ),
        err=True,
    )
    return 3


def _language(arguments: list[str], environ: Mapping[str, str]) -> Language:
    """The language of this run: `--lang`, else the setting, else the environment."""
    try:
        settings = Settings.from_env(environ)
    except SettingsError as error:
        settings = error.usable
    languages = catalogues(settings.lang_aliases)
    wishes = [settings.lang]
    for i, argument in enumerate(arguments):
        name, _, value = argument.partition("=")
        if name == "--lang":
            wishes.insert(0, value or (arguments[i + 1] if i + 1 < len(arguments) else None))
    for wish in wishes:
        if languages.speaks(wish):
            return languages.negotiate(wish)
    return languages.of_environment(environ)


def build(t: Language, environ: Mapping[str, str]) -> Group:
    """All commands, with their help in one language."""
    root = Group(
        "kontrolka",
        t=t,
        help=t.gettext(
            "A chat tutor: it asks one question at a time, explains every answer and never loses your place."
        ),
        params=[_lang(t), _version(t)],
    )
    root.add_command(_play(t, environ))
    root.add_command(_run(t, environ))
    root.add_command(_check(t, environ))
    root.add_command(_bank(t, environ))
    root.add_command(_data(t, environ))
    return root


def _version(t: Language) -> click.Option:
    def show(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
        if wanted and not ctx.resilient_parsing:
            click.echo(f"kontrolka {__version__}")
            ctx.exit()

    return click.Option(
        ["--version"],
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=show,
        help=t.gettext("Show the version and exit."),
    )


def _lang(t: Language) -> click.Option:
    return click.Option(
        ["--lang"],
        type=click.Choice(LANGUAGES),
        expose_value=False,  # `_language` has read it: the help page needs it too
        help=t.gettext("Language of questions and messages."),
    )


def _play(t: Language, environ: Mapping[str, str]) -> Command:
    def play(quiz: str | None, mode: str | None, minutes: int | None, fresh: bool, mistakes: bool) -> int:
        from bot.cli.play import play as carry_out

        return carry_out(
            Settings.from_env(environ), t, quiz=quiz, mode=mode, minutes=minutes, fresh=fresh, mistakes=mistakes
        )

    return Command(
        "play",
        t=t,
        callback=play,
        help=t.gettext(
            "Play a quiz here in the terminal, without any account.\n\n"
            "QUIZ is the id of a quiz, a module or a single item; without it you get the first quiz of the bank. "
            "An open session is continued."
        ),
        params=[
            click.Argument(["quiz"], required=False, metavar=t.gettext("[QUIZ]")),
            _lang(t),
            click.Option(
                ["--mode"],
                type=click.Choice(["learn", "exam"]),
                help=t.gettext("learn explains every answer at once, exam at the end."),
            ),
            click.Option(
                ["--minutes"],
                type=click.IntRange(min=1),
                metavar=t.gettext("N"),
                help=t.gettext("Time limit of an exam, in minutes."),
            ),
            click.Option(
                ["--mistakes"],
                is_flag=True,
                help=t.gettext("Instead of QUIZ, ask again what you answered wrong, in whatever quiz it was."),
            ),
            click.Option(["--fresh"], is_flag=True, help=t.gettext("Stop an open session and begin a new one.")),
        ],
    )


def _run(t: Language, environ: Mapping[str, str]) -> Command:
    def run_bots() -> int:
        from bot.cli.serve import serve

        return serve(Settings.from_env(environ), t)

    return Command(
        "run",
        t=t,
        callback=run_bots,
        params=[_lang(t)],
        help=t.gettext("Serve the platforms whose tokens are set, until stopped."),
    )


def _check(t: Language, environ: Mapping[str, str]) -> Command:
    def check(alive: bool, online: bool) -> int:
        from bot.cli import check as parts

        return parts.alive(Settings.from_env(environ), t) if alive else parts.check(environ, t, online=online)

    return Command(
        "check",
        t=t,
        callback=check,
        params=[
            click.Option(
                ["--alive"],
                is_flag=True,
                help=t.gettext("Only tell whether the program that uses the data file is running."),
            ),
            click.Option(
                ["--online"],
                is_flag=True,
                help=t.gettext("Also ask the platforms, and say what is set up wrong there."),
            ),
            _lang(t),
        ],
        help=t.gettext("Check settings, data file, bank and catalogues: one line each, what is wrong, what to do."),
    )


def _bank(t: Language, environ: Mapping[str, str]) -> Group:
    def lint() -> int:
        from bot.cli.bank import lint_all as carry_out

        return carry_out(Settings.from_env(environ), t)

    def list_all(module: str | None) -> int:
        from bot.cli.bank import list_all as carry_out

        return carry_out(Settings.from_env(environ), t, module)

    def show(item: str) -> int:
        from bot.cli.bank import show as carry_out

        return carry_out(Settings.from_env(environ), t, item)

    def reports() -> int:
        from bot.cli.reports import list_all as carry_out

        return carry_out(Settings.from_env(environ), t)

    def void(item: str | None, since: str | None, end: bool, undo: bool) -> int:
        from bot.cli.voids import void as carry_out

        return carry_out(Settings.from_env(environ), t, item, since=since, end=end, undo=undo)

    group = Group("bank", t=t, params=[_lang(t)], help=t.gettext("Look at the bank of items, and check it."))
    group.add_command(
        Command(
            "lint",
            t=t,
            callback=lint,
            params=[_lang(t)],
            help=t.gettext("Report every problem in the content at once."),
        )
    )
    group.add_command(
        Command(
            "list",
            t=t,
            callback=list_all,
            params=[click.Argument(["module"], required=False, metavar=t.gettext("[MODULE]")), _lang(t)],
            help=t.gettext(
                "List courses, modules and quizzes with their counts.\n\nWith MODULE, list its items: id, kind, level, "
                "proof and how the question begins."
            ),
        )
    )
    group.add_command(
        Command(
            "show",
            t=t,
            callback=show,
            params=[click.Argument(["item"], metavar=t.gettext("ITEM")), _lang(t)],
            help=t.gettext("Show an item as learners will see it, with its key and explanation."),
        )
    )
    group.add_command(
        Command(
            "reports",
            t=t,
            callback=reports,
            params=[_lang(t)],
            help=t.gettext("List the mistakes that learners have reported."),
        )
    )
    group.add_command(
        Command(
            "void",
            t=t,
            callback=void,
            params=[
                click.Argument(["item"], required=False, metavar=t.gettext("[ITEM]")),
                click.Option(
                    ["--since"],
                    metavar=t.gettext("DAY"),
                    help=t.gettext("Only answers from this day on (UTC), such as 2026-11-30."),
                ),
                click.Option(["--end"], is_flag=True, help=t.gettext("The item is mended: answers count from now on.")),
                click.Option(
                    ["--undo"],
                    is_flag=True,
                    help=t.gettext("It was a mistake: as if ITEM had not been declared void the last time."),
                ),
                _lang(t),
            ],
            help=t.gettext(
                "Have a bad item count for nobody.\n\n"
                "Stop the program first. Answers stay stored, but no board, result or progress contains them. Without "
                "ITEM, list what is void; the program may be running then."
            ),
        )
    )
    return group


def _data(t: Language, environ: Mapping[str, str]) -> Group:
    def file(*, required: bool) -> click.Argument:
        return click.Argument(
            ["file"],
            required=required,
            type=click.Path(path_type=Path, readable=False),  # what is wrong with it is said in our words
            metavar=t.gettext("FILE") if required else t.gettext("[FILE]"),
        )

    def backup(file: Path | None) -> int:
        from bot.cli import data

        return data.back_up(Settings.from_env(environ), t, file)

    def restore(file: Path) -> int:
        from bot.cli import data

        return data.restore(Settings.from_env(environ), t, file)

    def export(file: Path) -> int:
        from bot.cli import data

        return data.export(Settings.from_env(environ), t, file)

    def forget(platform: str, account: str) -> int:
        from bot.cli import data

        return data.forget(Settings.from_env(environ), t, platform, account)

    def info() -> int:
        from bot.cli import data

        return data.info(Settings.from_env(environ), t)

    group = Group(
        "data",
        t=t,
        params=[_lang(t)],
        help=t.gettext("Back up, restore and export the data file; delete a person's data."),
    )
    group.add_command(
        Command(
            "backup",
            t=t,
            callback=backup,
            params=[file(required=False), _lang(t)],
            help=t.gettext(
                "Copy the data file while the program runs.\n\n"
                "Without FILE the copy is put beside the data file, with the time in its name."
            ),
        )
    )
    group.add_command(
        Command(
            "restore",
            t=t,
            callback=restore,
            params=[file(required=True), _lang(t)],
            help=t.gettext(
                "Replace the data file with a backup.\n\n"
                "Stop the program first. The replaced file is kept beside it, and you are told what will happen again."
            ),
        )
    )
    group.add_command(
        Command(
            "export",
            t=t,
            callback=export,
            params=[file(required=True), _lang(t)],
            help=t.gettext(
                "Write every attempt to FILE, which ends in .csv or .json.\n\n"
                "CSV suits a spreadsheet program in the language of this run; JSON keeps every text unchanged."
            ),
        )
    )
    group.add_command(
        Command(
            "forget",
            t=t,
            callback=forget,
            params=[
                click.Argument(["platform"], type=click.Choice(PLATFORMS), metavar=t.gettext("PLATFORM")),
                click.Argument(["account"], metavar=t.gettext("[ACCOUNT]"), default=""),
                _lang(t),
            ],
            help=t.gettext(
                "Permanently delete a person and all their answers.\n\n"
                "Stop the program first. PLATFORM is telegram, discord or terminal; ACCOUNT is the person's number "
                "there. The terminal has one person, without a number."
            ),
        )
    )
    group.add_command(
        Command("info", t=t, callback=info, params=[_lang(t)], help=t.gettext("Show what is in the data file."))
    )
    return group
