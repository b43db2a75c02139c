"""mgbench's calibration beside an independent measurement, in turn; called by validate_calibration.

Per size the ratio of the calibration's `library` curve to osu_allreduce's statistic (the mean over ranks of each rank's mean),
to the largest mean of a rank, and to the largest median of a rank, which is the statistic of the calibration; each is the median
over the rounds. The same again with OSU's memory: summed in place, other memory in every call. Then sizes alone, among
others, before and after them: whether the four intervals meet.
"""

import argparse
import csv
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

STATISTICS = ("mean_seconds", "largest_mean_seconds", "largest_median_seconds")
MEMORY = 512 << 20  # bytes; as much as a calibration goes through
COLUMNS = ("OSU's mean", "largest mean", "largest median", "largest median, other memory")


def output_of(words):
    result = subprocess.run(words, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        sys.exit(f"validate_calibration: {' '.join(words)} failed:\n{result.stderr}")
    return result


def calibrate(mgbench, ranks, budget, folder):
    """({bytes: seconds} of the library's curve, the launcher's words that pinned it)."""
    result = output_of([mgbench, "calibrate", "-n", str(ranks), "--budget", str(budget), "--communicator", "mpi-poll",
                        "--json", "-o", str(folder)])
    started = next(line for line in result.stderr.splitlines() if "no launcher: starting " in line)
    words = started.rsplit(": ", 1)[1].split()
    curves = {curve["name"]: curve for curve in json.loads(result.stdout)["curves"]}
    points = {point["bytes"]: point["seconds"] for point in curves["library"]["points"]}
    return points, words[:words.index("calibrate") - 1]


def table_of(words):
    return list(csv.DictReader(output_of(words).stdout.splitlines()))


def osu(launcher, program, largest, extra):
    words = [*launcher, program, "--largest", str(largest), *extra]
    return {int(row["bytes"]): {name: float(row[name]) for name in STATISTICS} for row in table_of(words)}


def compare(arguments, ranks):
    """Prints the table of ratios; returns the launcher's words."""
    extra = ["--iterations", str(arguments.iterations)] if arguments.iterations else []
    ratios = {}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(arguments.rounds):
            points, launcher = calibrate(arguments.mgbench, ranks, arguments.budget, folder)
            sizes = [size for size in points if size <= arguments.largest]
            same = osu(launcher, arguments.osu_statistic, max(sizes), extra)
            other = osu(launcher, arguments.osu_statistic, max(sizes), [*extra, "--in-place", "--memory", str(MEMORY)])
            for size in sizes:
                theirs = [same[size][name] for name in STATISTICS] + [other[size]["largest_median_seconds"]]
                ratios.setdefault(size, []).append([points[size] / seconds for seconds in theirs])
    print(f"\n## {ranks} ranks: calibration by independent measurement, {arguments.rounds} rounds\n")
    print(f"| bytes | {' | '.join(COLUMNS)} |\n|---|{'---|' * len(COLUMNS)}")
    medians = {size: [statistics.median(column) for column in zip(*rows)] for size, rows in ratios.items()}
    for size, row in sorted(medians.items()):
        print(f"| {size} | {' | '.join(f'{ratio:.2f}' for ratio in row)} |")
    overall = [statistics.median(column) for column in zip(*medians.values())]
    print(f"| median over all sizes | {' | '.join(f'{ratio:.2f}' for ratio in overall)} |")
    return launcher


def order(arguments, ranks, launcher):
    print(f"\n## {ranks} ranks: one size in four orders (us, 95 % intervals)\n")
    print("| bytes | alone | among | first | last | intervals meet |\n|---|---|---|---|---|---|")
    for size in arguments.order_sizes:
        rows = table_of([*launcher, arguments.order_effects, "--bytes", str(size), "--largest", str(arguments.largest),
                         "--rounds", str(arguments.order_rounds)])
        intervals = [(float(row["low_seconds"]), float(row["high_seconds"])) for row in rows]
        meet = max(low for low, _ in intervals) <= min(high for _, high in intervals)
        cells = [f"{float(row['seconds']) * 1e6:.4g} [{low * 1e6:.4g}, {high * 1e6:.4g}]"
                 for row, (low, high) in zip(rows, intervals)]
        print(f"| {size} | {' | '.join(cells)} | {'yes' if meet else 'NO'} |")


def main():
    parser = argparse.ArgumentParser(prog="validate_calibration", description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, required=True, help="folder of the build")
    parser.add_argument("--ranks", type=int, nargs="+", default=[2, 4])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--budget", type=float, default=12, help="seconds of a calibration")
    parser.add_argument("--iterations", type=int, help="calls of a size (default: OSU's)")
    parser.add_argument("--largest", type=int, default=4 << 20, help="bytes of the largest message compared")
    parser.add_argument("--order-sizes", type=int, nargs="*", default=[4, 4096, 65536, 1 << 20])
    parser.add_argument("--order-rounds", type=int, default=30)
    arguments = parser.parse_args()
    arguments.mgbench = str(arguments.build / "src/mgbench")
    arguments.osu_statistic = str(arguments.build / "tests/bench/osu_statistic")
    arguments.order_effects = str(arguments.build / "tests/bench/order_effects")
    for ranks in arguments.ranks:
        order(arguments, ranks, compare(arguments, ranks))


main()
