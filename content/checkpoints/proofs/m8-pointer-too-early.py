"""If the pointer moves and the old copy goes at dispatch of an async save, a crash leaves nothing loadable."""

# needs: nothing
import shutil
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event


def run(root: Path, early: bool) -> bool:
    (root / "step-400").mkdir()
    (root / "step-400" / "COMPLETE").touch()
    (root / "latest").write_text("step-400")
    started, crash = Event(), Event()

    def upload():  # never comes to its last line: the node is lost
        (root / "step-500").mkdir()
        started.set()
        crash.wait()
        raise OSError("node lost at 60 %")

    with ThreadPoolExecutor() as pool:
        future = pool.submit(upload)
        started.wait()
        if early:
            (root / "latest").write_text("step-500")
            shutil.rmtree(root / "step-400")
        crash.set()
        if not early and future.exception() is None:  # wait for the result first
            (root / "latest").write_text("step-500")
    return (root / (root / "latest").read_text() / "COMPLETE").exists()


for early, word in ((True, "pointer moved at dispatch"), (False, "pointer moved after the future")):
    with tempfile.TemporaryDirectory() as tmp:
        ok = run(Path(tmp), early)
    print(f"{word:31}-> loadable after the crash: {ok}")
    assert ok is not early
