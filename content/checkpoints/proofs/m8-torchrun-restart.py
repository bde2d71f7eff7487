"""torchrun restarts all workers with the same arguments; a script that does not load begins at step 0 again."""

# needs: torch
import os
import subprocess
import sys
import tempfile

WORKER = """
import os, sys, time
ck, resume = sys.argv[1], sys.argv[2] == "load"
rank, again = int(os.environ["RANK"]), int(os.environ["TORCHELASTIC_RESTART_COUNT"])
start = int(open(ck).read()) if resume and os.path.exists(ck) else 0
open(f"{ck}.log.{again}.{rank}", "w").write(str(start))
if again == 0:
    if rank == 0:
        open(ck + ".tmp", "w").write("800"); os.replace(ck + ".tmp", ck)
        time.sleep(60)  # a healthy worker, killed by the agent
    while not os.path.exists(ck): time.sleep(0.05)
    sys.exit(1)  # rank 1 fails after step 800 was saved
"""
for mode, flags in (("ignore", ["--max-restarts=1"]), ("load", ["--max-restarts=1"]), ("load", [])):
    with tempfile.TemporaryDirectory() as tmp:
        script, ck = os.path.join(tmp, "w.py"), os.path.join(tmp, "ck")
        with open(script, "w") as f:
            f.write(WORKER)
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
            mode,
        ]
        code = subprocess.run(cmd, capture_output=True).returncode
        names = sorted(n for n in os.listdir(tmp) if ".log.1." in n)
        starts = [int(open(os.path.join(tmp, n)).read()) for n in names]
    print(f"{' '.join(flags) or 'no flag':16} script {mode:6}: exit {code}, restarted at {starts}")
    assert starts == ([] if not flags else [800, 800] if mode == "load" else [0, 0])
    assert (code == 0) is bool(flags)
