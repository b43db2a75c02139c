"""Runs a page of the documentation: every line of its `sh` blocks, in order, each in a shell of its own, in one folder.

A line that ends in `# ends with CODE, prints: WORDS` has to end with that exit code and to print each of the words; every other line
has to end with 0. Arguments: the page, the folder of the program.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

EXPECTED = re.compile(r"\s+# ends with (\d)(?:, prints: (.*))?$")


def lines_of(page):
    for block in re.findall(r"^```sh\n(.*?)^```", page, re.MULTILINE | re.DOTALL):
        yield from (line for line in block.splitlines() if line.strip())


def run(line, folder, variables):
    """Exit code and output."""
    done = subprocess.run(["bash", "-c", line], cwd=folder, env=variables, text=True, timeout=120,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode, done.stdout


def main():
    page, programs = pathlib.Path(sys.argv[1]).read_text(), pathlib.Path(sys.argv[2]).resolve()
    variables = dict(os.environ, PATH=f"{programs}:{os.environ['PATH']}")
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for line in lines_of(page):
            expected = EXPECTED.search(line)
            code, words = (int(expected[1]), (expected[2] or "").split()) if expected else (0, [])
            ended, output = run(EXPECTED.sub("", line), pathlib.Path(folder), variables)
            missing = [word for word in words if word not in output]
            good = ended == code and not missing
            failed += not good
            print(f"{'ok' if good else 'WRONG'}: {line}", flush=True)
            if not good:
                print(f"   ended with {ended}, expected {code}; not printed: {missing}\n{output}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
