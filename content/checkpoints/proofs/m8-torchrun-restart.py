"""torchrun restarts all workers with the same arguments: what the script loads decides at which step they begin."""

# needs: torch
import os
import subprocess
import sys
import tempfile

WORKER = """
import os, sys, time
ck, source = sys.argv[1:3]  # where to save, what to load
rank, again = int(os.environ["RANK"]), int(os.environ["TORCHELASTIC_RESTART_COUNT"])
start = int(open(source).read()) if os.path.exists(source) else 0
open(f"{ck}.log.{again}.{rank}", "w").write(str(start))
if again == 0:
    if rank == 0:
        open(ck + ".tmp", "w").write("800"); os.replace(ck + ".tmp", ck)
        time.sleep(60)  # a healthy worker, killed by the agent
    while not os.path.exists(ck): time.sleep(0.05)
    sys.exit(1)  # rank 1 fails after step 800 was saved
"""
ONCE = ["--max-restarts=1"]
BEGIN = {"nothing": 0, "newest": 800, "ck-600": 600}
for mode, flags in (("nothing", ONCE), ("newest", ONCE), ("ck-600", ONCE), ("newest", [])):
    with tempfile.TemporaryDirectory() as tmp:
        script, ck = os.path.join(tmp, "w.py"), os.path.join(tmp, "ck")
        with open(script, "w") as f:
            f.write(WORKER)
        with open(os.path.join(tmp, "ck-600"), "w") as f:
            f.write("600")
        cmd = [
            sys.executable,
            "-m",
            "torch.distributed.run",
            "--standalone",
            "--nproc-per-node=2",
            "--monitor-interval=0.1",
            *flags,
            script,
            ck,
            ck if mode == "newest" else os.path.join(tmp, mode),
        ]
        code = subprocess.run(cmd, capture_output=True).returncode
        names = sorted(n for n in os.listdir(tmp) if ".log.1." in n)
        starts = [int(open(os.path.join(tmp, n)).read()) for n in names]
    print(f"{' '.join(flags) or 'no flag':16} loads {mode:7}: exit {code}, restarted at {starts}")
    assert starts == ([BEGIN[mode]] * 2 if flags else [])
    assert (code == 0) is bool(flags)
