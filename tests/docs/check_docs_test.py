"""scripts/check_docs finds what is planted: what is made of GOOD below has one thing that is wrong. Argument: the program."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

CHECK = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "check_docs"
PROGRAM = sys.argv.pop()

GOOD = """# A page

See [below](#a-part-with-code-2), [the other](other.md#there), `mgbench run --budget 5`, `--patience`, `sbatch --mem=0`, `scripts/check_docs`.

## A part with `code`, 2

```console
$ printf 'took 3.25 ms of 7\\nmore\\n'
took 4.5 us of 12
more
$ printf 'anything\\n'
...
$ mgbench list   # prints: mg-wfbp resnet50
$ mgbench run --model rexnet > list.txt 2>&1   # exit 2
$ grep -c . list.txt; ls configs/interconnects   # prints: 10GbE.yaml
```

```console elsewhere
$ mgbench run --model resnet50
```
"""


class CheckDocs(unittest.TestCase):
    def checked(self, text):
        with tempfile.TemporaryDirectory() as folder:
            page, other = pathlib.Path(folder) / "page.md", pathlib.Path(folder) / "other.md"
            page.write_text(text)
            other.write_text("# There\n")
            done = subprocess.run([CHECK, page], env=dict(os.environ, MGBENCH=PROGRAM), text=True, check=False, capture_output=True)
            self.assertEqual(done.stderr, "")
            return done.returncode, done.stdout

    def expect_found(self, old, new, said):
        self.assertIn(old, GOOD)
        code, output = self.checked(GOOD.replace(old, new, 1))
        self.assertEqual(code, 1, output)
        self.assertIn(said, output)

    def test_accepts_what_is_right(self):
        self.assertEqual(self.checked(GOOD), (0, ""))

    def test_finds_a_dead_link(self):
        self.expect_found("other.md#there", "gone.md", "link to gone.md")

    def test_finds_a_heading_that_is_gone(self):
        self.expect_found("other.md#there", "other.md#gone", "link to other.md#gone")
        self.expect_found("#a-part-with-code-2", "#a-part-with-code", "link to #a-part-with-code")

    def test_finds_a_file_that_is_gone(self):
        self.expect_found("`scripts/check_docs`", "`scripts/check_dogs`", "scripts/check_dogs")

    def test_finds_a_command_that_fails(self):
        self.expect_found("$ mgbench list   # prints: mg-wfbp resnet50", "$ false", "ended with 1, expected 0")

    def test_finds_a_command_that_ought_to_fail(self):
        self.expect_found("$ printf 'anything\\n'", "$ printf 'anything\\n'   # exit 1", "ended with 0, expected 1")

    def test_finds_output_that_is_another(self):
        self.expect_found("took 4.5 us of 12", "took 4.5 us at 12", "took 4.5 us at 12")
        self.expect_found("\nmore\n$", "\nless\n$", "less")
        self.expect_found("prints: mg-wfbp", "prints: mg-wbfp", "mg-wbfp")

    def test_finds_commands_and_options_that_do_not_exist(self):
        self.expect_found("mgbench run --budget 5`", "mgbench walk --budget 5`", "no command walk")
        self.expect_found("mgbench run --budget 5`", "mgbench list --budget 5`", "mgbench list has no option --budget")
        self.expect_found("$ mgbench run --model resnet50", "$ mgbench run --modell resnet50", "no option --modell")
        self.expect_found("`--patience`", "`--impatience`", "--impatience")
        self.expect_found("mgbench run --budget 5`", "mgbench help nothing`", "explains no nothing")

    def test_finds_a_block_without_its_marking(self):
        self.expect_found("```console elsewhere", "```", "neither `console` nor `console elsewhere`")


if __name__ == "__main__":
    unittest.main()
