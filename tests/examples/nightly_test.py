"""docs/examples/cron/mgbench-nightly with a program in the place of mgbench that does what it is told: nightly_test.py SCRIPT."""

import fcntl
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = sys.argv[1]

# Notes its words; `run` saves a result under a new name, unless RUN says that it ends otherwise; `compare` ends as COMPARE says.
FAKE = """#!/usr/bin/env bash
echo "$*" >>"$NOTES"
case $1 in
  run)
    [ "$RUN" = 0 ] || { echo "no ranks"; exit "$RUN"; }
    number=$(wc -l <"$NOTES")
    echo "result $number" >"$3/$(printf '20261130T%06dZ' "$number")-run-tiny.json" ;;
  compare)
    echo "verdict"
    exit "$COMPARE" ;;
esac
"""


class Nightly(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.scratch = Path(scratch.name)
        self.folder = self.scratch / "nights with a space"
        self.notes = self.scratch / "notes"
        program = self.scratch / "bin" / "mgbench"
        program.parent.mkdir()
        program.write_text(FAKE, encoding="utf-8")
        program.chmod(0o755)

    def night(self, run=0, compare=0, words=("--model", "tiny")):
        environment = os.environ | {
            "PATH": f"{self.scratch}/bin:{os.environ['PATH']}",
            "NOTES": str(self.notes),
            "RUN": str(run),
            "COMPARE": str(compare),
        }
        done = subprocess.run([SCRIPT, self.folder, *words], env=environment, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    def good(self):
        return sorted(path.name for path in (self.folder / "good").iterdir())

    def comparisons(self):
        return [line for line in self.notes.read_text(encoding="utf-8").splitlines() if line.startswith("compare")]

    def test_good_nights_are_silent_and_become_baselines(self):
        for _ in range(3):
            self.assertEqual(self.night(), (0, ""))
        self.assertEqual(len(self.good()), 3)
        self.assertEqual(self.comparisons(), [], "nothing to compare with")
        self.assertIn("--model tiny", self.notes.read_text(encoding="utf-8"))
        self.assertEqual(self.night(), (0, ""))
        (words,) = self.comparisons()
        for name in self.good()[:3]:
            self.assertIn(f"/good/{name} ", words)
        self.assertEqual(len(self.good()), 4)

    def test_the_last_five_count(self):
        for _ in range(8):
            self.night()
        words = self.comparisons()[-1]
        self.assertEqual([name in words for name in self.good()[:7]], [False] * 2 + [True] * 5)

    def test_a_bad_night_is_told_and_no_baseline(self):
        for _ in range(3):
            self.night()
        status, output = self.night(compare=1)
        self.assertEqual(status, 1)
        self.assertIn("compare ended with 1", output)
        self.assertIn("verdict", output)
        self.assertEqual(len(self.good()), 3)

    def test_a_run_that_fails_is_told_and_keeps_its_exit_code(self):
        status, output = self.night(run=3)
        self.assertEqual(status, 3)
        self.assertIn("no ranks", output)
        self.assertEqual(self.good(), [])

    def test_nothing_is_overwritten(self):
        for _ in range(4):
            self.night()
        before = {path: path.read_bytes() for path in self.folder.rglob("*") if path.is_file()}
        self.night()
        self.night(compare=1)
        for path, text in before.items():
            self.assertEqual(path.read_bytes(), text, path)

    def test_two_at_once_are_one(self):
        self.folder.mkdir()
        with open(self.folder / "lock", "w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            status, output = self.night()
        self.assertEqual(status, 3)
        self.assertIn("has not ended", output)
        self.assertFalse(self.notes.exists(), "mgbench was started")
        self.assertEqual(self.night(), (0, ""))

    def test_without_a_folder_there_is_nothing_to_do(self):
        done = subprocess.run([SCRIPT], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("usage", done.stderr)


unittest.main(argv=sys.argv[:1])
