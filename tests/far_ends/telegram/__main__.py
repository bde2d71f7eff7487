"""The far end as a process: `python -m tests.far_ends.telegram --port 8081`; prints its address and the token."""

import argparse
import asyncio
import contextlib
import time

from .far_end import TOKEN, FarEnd


async def serve(options: argparse.Namespace) -> None:
    follows = None if options.still else time.monotonic
    far_end = FarEnd(follows=follows, checks=options.checks, keeps=options.keeps, token=options.token)
    await far_end.start(options.port)
    print(f"{far_end.url} {far_end.token}", flush=True)
    await asyncio.Event().wait()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.far_ends.telegram")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--token", default=TOKEN)
    parser.add_argument("--still", action="store_true", help="the time stands until /control moves it")
    parser.add_argument("--no-checks", dest="checks", action="store_false", help="without aiogram's models")
    parser.add_argument("--forgetful", dest="keeps", action="store_false", help="keep no calls and no history")
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(serve(parser.parse_args()))


if __name__ == "__main__":
    main()
