"""The doctor: what works where it was asked, and exactly which permission or setting is missing."""

from __future__ import annotations

from typing import Any

import discord

from bot.bank import Rich, Span
from bot.i18n import Language
from bot.present import line

_POSTING = ("view_channel", "send_messages", "read_message_history", "attach_files")
_OPENING = ("create_public_threads", "send_messages_in_threads")
_POSTING_IN_THREAD = ("view_channel", "send_messages_in_threads", "read_message_history", "attach_files")


def examine(interaction: discord.Interaction[Any], t: Language, *, dm: bool) -> Rich:
    """What can be said of the place of an interaction, from what the interaction itself carries."""
    head = line(Span(t.gettext("What works here"), bold=True))
    good, bad = t.gettext("✓ You can take a quiz on your own here."), []
    if dm:
        return (head, line(good))
    if interaction.guild_id is not None and not interaction.permissions.use_external_apps and _only_mine(interaction):
        bad.append(
            t.gettext(
                "✗ Your permission “{name}” is missing. Ask an administrator, or add the app to the server.",
                name=permission("use_external_apps", t),
            )
        )
    if isinstance(interaction.channel, discord.Thread):
        bad += _thread(interaction.channel, t)
    if interaction.guild_id is None or _only_mine(interaction):
        note = t.gettext(
            "The app is installed only for you, so I can answer you here but cannot write for others. An administrator "
            "can add it to the server."
        )
        return (head, line("\n".join([good, *bad])), line(note))
    missing = [name for name in _wanted(interaction) if not getattr(interaction.app_permissions, name)]
    if missing:
        bad.append(
            t.gettext(
                "✗ To write for everybody in this channel I still need: {names}. Grant this in the channel settings "
                "under Permissions.",
                names=", ".join(permission(name, t) for name in missing),
            )
        )
    else:
        bad.append(t.gettext("✓ I can write in this channel."))
    threads = [name for name in _OPENING if not getattr(interaction.app_permissions, name)]
    if threads and isinstance(interaction.channel, discord.TextChannel):
        bad.append(
            t.gettext(
                "✗ To open a thread for a quiz for everybody I still need: {names}.",
                names=", ".join(permission(name, t) for name in threads),
            )
        )
    return (head, line("\n".join([good, *bad])))


def lacking(interaction: discord.Interaction[Any], t: Language, *, thread: bool = False) -> str:
    """Why nothing can be posted where an interaction was, and what to do; empty if it can.

    Args:
        interaction: It says what we may do there.
        t: The language of whoever asks.
        thread: Whether a thread is to be opened.
    """
    if interaction.guild_id is None or _only_mine(interaction):
        return t.gettext("This works only on a server that has added me: an administrator can do that.")
    wanted = [*_wanted(interaction), *(_OPENING if thread else ())]
    missing = [name for name in wanted if not getattr(interaction.app_permissions, name)]
    if not missing:
        return ""
    return t.gettext(
        "✗ To write for everybody in this channel I still need: {names}. Grant this in the channel settings "
        "under Permissions.",
        names=", ".join(permission(name, t) for name in missing),
    )


def _only_mine(interaction: discord.Interaction[Any]) -> bool:
    """Whether the person has installed the app and the server has not."""
    return interaction.is_user_integration() and not interaction.is_guild_integration()


def _wanted(interaction: discord.Interaction[Any]) -> tuple[str, ...]:
    return _POSTING_IN_THREAD if isinstance(interaction.channel, discord.Thread) else _POSTING


def _thread(thread: discord.Thread, t: Language) -> list[str]:
    if thread.locked:
        return [t.gettext("✗ This thread is locked. Anyone who may manage threads can unlock it.")]
    if thread.archived:
        return [t.gettext("✗ This thread is archived. A new message in it reopens it.")]
    return []


def permission(name: str, t: Language) -> str:
    """A permission as Discord's settings call it in a language."""
    return {
        "view_channel": t.pgettext("permission", "View Channel"),
        "send_messages": t.pgettext("permission", "Send Messages"),
        "send_messages_in_threads": t.pgettext("permission", "Send Messages in Threads"),
        "create_public_threads": t.pgettext("permission", "Create Public Threads"),
        "read_message_history": t.pgettext("permission", "Read Message History"),
        "attach_files": t.pgettext("permission", "Attach Files"),
        "use_external_apps": t.pgettext("permission", "Use External Apps"),
    }[name]
