"""click in the person's language: help pages and usage errors.

click asks the standard gettext for its own words, and that wants compiled files in a folder; our catalogues are
compiled in memory. So the few words of a help page and of a usage error are written here; not one of click's is quoted.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

import click

from bot.i18n import Language


class Surplus(click.UsageError):
    """More arguments than the command takes."""

    def __init__(self, arguments: Sequence[str], ctx: click.Context) -> None:
        super().__init__("", ctx)
        self.arguments = tuple(arguments)


class _Page(click.Command):
    """A command whose help page is written in one language."""

    def __init__(self, *args: Any, t: Language, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.t = t

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            error.ctx = error.ctx or ctx
            raise

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        option = super().get_help_option(ctx)
        if option is not None:
            option.help = self.t.gettext("Show this page and exit.")
        return option

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        pieces = " ".join(self.collect_usage_pieces(ctx))
        formatter.write_usage(ctx.command_path, pieces, prefix=self.t.gettext("Usage:") + " ")

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        options = [self.t.gettext("[OPTIONS]")]
        return options + [piece for p in self.get_params(ctx) for piece in p.get_usage_pieces(ctx)]

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        for paragraph in inspect.cleandoc(self.help or "").split("\n\n"):
            formatter.write_paragraph()
            formatter.write_text(paragraph)

    def format_arguments(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Arguments stand in the usage line and in the text."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        records = [r for p in self.get_params(ctx) if isinstance(p, click.Option) and (r := p.get_help_record(ctx))]
        with formatter.section(self.t.gettext("Options")):
            formatter.write_dl(records)


class Command(_Page):
    """A command that does something."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:  # noqa: D102 as in click
        ctx.allow_extra_args = True  # so that what is too much is named in our words
        rest = super().parse_args(ctx, args)
        if rest:
            raise Surplus(rest, ctx)
        return rest


class Group(_Page, click.Group):
    """A command with commands under it; alone it shows its help page."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, invoke_without_command=True, no_args_is_help=True, callback=_command_wanted, **kwargs)

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:  # noqa: D102 as in click
        return [*super().collect_usage_pieces(ctx), self.t.gettext("COMMAND …")]

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: D102 as in click
        super().format_options(ctx, formatter)
        rows = [(name, (self.commands[name].help or "").partition("\n\n")[0]) for name in self.commands]
        with formatter.section(self.t.gettext("Commands")):
            formatter.write_dl(rows)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002, D102 as in click
        return list(self.commands)


def _command_wanted() -> None:
    ctx = click.get_current_context()
    if ctx.invoked_subcommand is None:
        raise click.exceptions.NoArgsIsHelpError(ctx)


def usage_problem(error: click.ClickException, t: Language) -> str:
    """A usage error in the person's language: what is wrong and where help is."""
    what = _what(error, t)
    ctx = error.ctx if isinstance(error, click.UsageError) else None
    if ctx is None:
        return what
    command = f"{ctx.command_path} --help"
    return f"{what}\n" + t.gettext("Help: {command}", command=command)


def _what(error: click.ClickException, t: Language) -> str:
    match error:
        case click.exceptions.NoSuchOption():
            return _similar(t.gettext("There is no option {name}.", name=error.option_name), error.possibilities, t)
        case click.exceptions.NoSuchCommand():
            return _similar(t.gettext("There is no command {name}.", name=error.command_name), error.possibilities, t)
        case click.MissingParameter():
            return t.gettext("{name} is missing.", name=_name(error))
        case click.BadParameter(param=click.Parameter(type=click.Choice(choices=choices))):
            return t.gettext("{name} must be one of: {choices}.", name=_name(error), choices=", ".join(choices))
        case click.BadParameter(param=click.Parameter(type=click.IntRange(min=least))):
            return t.gettext("{name} must be a whole number, at least {least}.", name=_name(error), least=least)
        case click.BadParameter():
            return t.gettext("The value of {name} cannot be used.", name=_name(error))
        case click.BadOptionUsage() if _is_flag(error):
            return t.gettext("The option {name} takes no value.", name=error.option_name)
        case Surplus():
            return t.gettext("Too many arguments: {arguments}.", arguments=" ".join(error.arguments))
        case click.BadOptionUsage():
            return t.gettext("The option {name} needs a value.", name=error.option_name)
        case _:
            return t.gettext("The command line cannot be understood.")


def _is_flag(error: click.BadOptionUsage) -> bool:
    options = error.ctx.command.get_params(error.ctx) if error.ctx else []
    return any(isinstance(o, click.Option) and o.is_flag and error.option_name in o.opts for o in options)


def _similar(text: str, possibilities: Sequence[str] | None, t: Language) -> str:
    if not possibilities:
        return text
    return text + " " + t.gettext("Similar: {names}.", names=", ".join(sorted(possibilities)))


def _name(error: click.BadParameter) -> str:
    return error.param.get_error_hint(error.ctx).strip("'") if error.param is not None else "?"
