"""Discord as simcord simulates it, with what it leaves out: languages, and apps that only a person has installed."""

from tests.far_ends.discord.world import Person, Place, World, world

__all__ = ["Person", "Place", "World", "world"]
