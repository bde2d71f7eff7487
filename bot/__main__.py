"""`python -m bot` is `kontrolka`."""

from bot.cli import main

main()
