"""Plants mistakes and sees whether tests notice; called by scripts/mutate."""

import argparse
import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path.cwd()
LIST = ROOT / "tests/mutation/mistakes.toml"
TREE = ROOT / "build/mutation"
BUILD = TREE / "build/dev"
OUTCOMES = ROOT / "build/mutation.json"
TIME_LIMIT = 900  # seconds for the tests of one mistake
FIELDS = {"name", "mistake", "file", "old", "new", "programs"}
OPTIONAL = {"tests", "added", "cuda"}


def stop(message):
    sys.exit(f"mutate: {message}")


def command(*words, **options):
    """Whether it succeeded, and what it said."""
    process = subprocess.Popen(words, cwd=TREE, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               start_new_session=True)
    try:
        output, _ = process.communicate(**options)
    except BaseException:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        raise
    return process.returncode == 0, output


def read_mistakes():
    mistakes = tomllib.loads(LIST.read_text())["mistake"]
    names = set()
    for each in mistakes:
        name = each.get("name", "?")
        missing, unknown = FIELDS - each.keys(), each.keys() - FIELDS - OPTIONAL
        if missing or unknown or name in names:
            stop(f"{LIST.name}: '{name}': lacks {sorted(missing)}, unknown {sorted(unknown)}, or is there twice")
        names.add(name)
    return mistakes


def planted(mistake, tree):
    """The whole text of the file with the mistake in it."""
    text = (tree / mistake["file"]).read_text()
    places = text.count(mistake["old"])
    if places != 1:
        stop(f"'{mistake['name']}': its old text is {places} times in {mistake['file']}, expected once")
    return text.replace(mistake["old"], mistake["new"])


def check_out_tree():
    commit = subprocess.check_output(["git", "rev-parse", "HEAD"], text=True).strip()
    if TREE.exists():
        subprocess.check_call(["git", "-C", TREE, "checkout", "--quiet", "--force", "--detach", commit])
    else:
        subprocess.check_call(["git", "worktree", "add", "--quiet", "--force", "--detach", TREE, commit])
    good, output = command("cmake", "--preset", "dev", "-DMGBENCH_BENCHMARKS=OFF")
    if not good:
        stop(f"cannot be configured:\n{output}")


def build(programs, jobs):
    good, output = command("nice", "ninja", "-C", str(BUILD), f"-j{jobs}", *programs)
    if not good:
        stop(f"{' '.join(programs)} cannot be built:\n{output[-3000:]}")


def first_failure(mistake):
    """The test that fails first, "" where none does."""
    tests = mistake.get("tests", f"^({'|'.join(mistake['programs'])})/")
    try:
        good, output = command("ctest", "--test-dir", str(BUILD), "--stop-on-failure", "--no-tests=error",
                               "--output-on-failure", "-R", tests, timeout=TIME_LIMIT)
    except subprocess.TimeoutExpired:
        return f"{tests} (more than {TIME_LIMIT} s)"
    if good:
        return ""
    failures = re.findall(r"^\s+\d+ - (.+) \((.+)\)$", output, re.MULTILINE)
    if not failures:
        stop(f"'{mistake['name']}': ctest failed without a test:\n{output[-3000:]}")
    name, how = failures[0]
    name = name.split("  # GetParam")[0]
    case = re.search(r"\[  FAILED  \] (?:\x1b\[m)?([\w/]+\.\w+)", output)
    if case and case[1] not in name:  # a whole program under mpiexec
        name = f"{name}: {case[1]}"
    return name if how == "Failed" else f"{name} ({how})"


def outcome_of(mistake, jobs):
    file = TREE / mistake["file"]
    original = file.read_text()
    try:
        file.write_text(planted(mistake, TREE))
        build(mistake["programs"], jobs)
        return first_failure(mistake)
    finally:
        file.write_text(original)


def identity(mistake):
    return hashlib.sha256(json.dumps([mistake[key] for key in ("file", "old", "new")]).encode()).hexdigest()


def document(mistakes, outcomes):
    caught = [each for each in mistakes if outcomes[each["name"]]["test"]]
    added = [each for each in mistakes if "added" in each]
    rows = [f"| {each['mistake']} | `{each['file']}` | {outcomes[each['name']]['test'] or '**nothing**'} |"
            for each in mistakes]
    lines = [
        "# Mistakes that tests notice",
        "",
        "```console elsewhere",
        "$ scripts/mutate",
        "```",
        "",
        f"`scripts/mutate` plants each mistake of `{LIST.relative_to(ROOT)}` alone, builds and runs the test programs that",
        "the list names for it, and writes this page. The same tests pass without the mistake: it is asked first.",
        "",
        f"{len(mistakes)} mistakes, {len(caught)} noticed, {len(caught) - len(added)} of them by tests that were there before"
        " the mistakes were.",
        "",
        "| mistake | file | first test that fails |",
        "|---|---|---|",
        *rows,
    ]
    if added:
        lines += ["", "Tests that were written because nothing noticed:", "",
                  *[f"* {each['mistake']}: {each['added']}" for each in added]]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(prog="scripts/mutate")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--check", action="store_true", help="only see that what the list quotes is still there")
    parser.add_argument("names", nargs="*", metavar="NAME")
    arguments = parser.parse_args()

    mistakes = read_mistakes()
    if arguments.check:
        for each in mistakes:
            planted(each, ROOT)
        return
    unknown = set(arguments.names) - {each["name"] for each in mistakes}
    if unknown:
        stop(f"unknown: {', '.join(sorted(unknown))}; {LIST.relative_to(ROOT)} has the names")
    chosen = [each for each in mistakes if not arguments.names or each["name"] in arguments.names]

    check_out_tree()
    for each in mistakes:
        planted(each, TREE)
    if not (BUILD / "tests/stand_in/kernels").exists():
        print("without CUDA's headers what the libraries that stand in for CUDA's would notice is left out")
        chosen = [each for each in chosen if "cuda" not in each]
    build(sorted({program for each in chosen for program in each["programs"]}), arguments.jobs)
    for each in {(each.get("tests"), *each["programs"]): each for each in chosen}.values():
        if failure := first_failure(each):
            stop(f"{failure} fails without a mistake")

    saved = json.loads(OUTCOMES.read_text()) if OUTCOMES.exists() else {}
    for each in chosen:
        test = outcome_of(each, arguments.jobs)
        saved[each["name"]] = {"test": test, "identity": identity(each)}
        OUTCOMES.write_text(json.dumps(saved, indent=1))
        print(f"{each['name']}: {test or 'NOT NOTICED'}", flush=True)
    outcomes = {each["name"]: saved[each["name"]] for each in mistakes
                if saved.get(each["name"], {}).get("identity") == identity(each)}
    if len(outcomes) == len(mistakes):
        (ROOT / "docs/mutation.md").write_text(document(mistakes, outcomes))
    sys.exit(any(not saved[each["name"]]["test"] for each in chosen))


main()
