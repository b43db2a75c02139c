"""The README of results/soak: what scripts/soak found, from its JSON."""
import json
import statistics
import sys


VERDICTS = {0: "Passed.", 1: "FAILED.",
            3: "Memory and descriptors are flat. The times tell nothing: they rose while others used the processors too."}


def main(path, preset):
    with open(path) as file:
        soak = json.load(file)
    begin = soak["warm_up_readings"]
    print(f"# Soak: {soak['model']} on {len(soak['ranks'])} ranks for {soak['seconds']:.0f} s\n")
    print("Written by `scripts/soak` (docs/scale.md says what must hold). "
          f"{soak['date']}, {soak['communicator']}, {20 * soak['blocks']} iterations that count, {preset} build, "
          "ranks share the cores of one machine.\n")
    print(f"**{VERDICTS[soak['exit_code']]}**\n")
    print("| rank | resident, begin MiB | end MiB | most growth KiB | descriptors, begin | end |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: |")
    for rank, row in enumerate(soak["ranks"]):
        resident, descriptors = row["resident_bytes"], row["descriptors"]
        print(f"| {rank} | {resident[begin] / 2**20:.2f} | {resident[-1] / 2**20:.2f} "
              f"| {row['resident_growth_bytes'] / 1024:.0f} | {descriptors[begin]:.0f} | {descriptors[-1]:.0f} |")
    times = soak["iteration_seconds"][begin:]
    third = len(times) // 3
    drift = f"{soak['drift']:.3f} (last third by first)" if soak["drift"] else "none at the 1 % level"
    print(f"\nIteration: median {statistics.median(times) * 1e3:.3f} ms, first third "
          f"{statistics.median(times[:third]) * 1e3:.3f} ms, last third {statistics.median(times[-third:]) * 1e3:.3f} ms; "
          f"trend (Mann-Kendall): {drift}. "
          f"Others had {100 * soak['others_share']:.0f} % of the processors' time.")


if __name__ == "__main__":
    main(*sys.argv[1:])
