"""Runs every stage of scripts/gpu_check.py with the program of the build folder $1, and looks at the folder that it leaves."""

import json
import pathlib
import subprocess
import sys
import tempfile

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "gpu_check.py"
with tempfile.TemporaryDirectory() as scratch:
    folder = pathlib.Path(scratch) / "check"
    ended = subprocess.run([sys.executable, SCRIPT, "--build", sys.argv[1], "-o", folder, "--model", "tiny", "--batches", "2",
                            "--budget", "4"], check=False).returncode
    summary = json.loads((folder / "summary.json").read_text())
    page = (folder / "README.md").read_text()
    print(page)
    stages = summary["stages"]
    # Times of a busy host may miss every target, and messages of an emulated interconnect may all come late.
    assert ended == (1 if any(not figure["fine"] for figure in summary["figures"]) else 3 if summary["not_measured"] else 0)
    assert all(part["passed"] > 0 for part in stages["tests"].values()), stages["tests"]
    assert set(stages["calibrate"]) == {"nccl", "mpi-staged"}
    for part in stages["calibrate"].values():
        assert (folder / part["file"]).exists()
    assert set(stages["models"]) == {"tiny, nccl", "tiny, mpi-staged", "tiny, 10GbE as 16", "tiny, 10GbE as 64"}
    assert set(stages["precision"]) == {f"{name}, batch 2" for name in ("fp32", "tf32", "fp16", "bf16")}
    for part in [*stages["models"].values(), *stages["precision"].values()]:
        assert (folder / part["page"]).exists()
    for part in stages["precision"].values():
        assert part["layout"] in ("channels-first, measured", "channels-last, measured"), part
    assert "skipped" in stages["pytorch"] and "PyTorch: skipped, " in page
    assert summary["about"]["GPU"] == "stand-in" and "cuDNN 9." in summary["about"]["libraries"]
    assert (folder / "log.txt").exists()
