"""Prints the table of results/emulated/ from the JSON that `mgbench run --json` gave for each case."""

import json
import pathlib
import platform
import sys

folder = pathlib.Path(sys.argv[1])
cpu = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), platform.machine())
print("# Emulated interconnects: predicted beside measured\n")
print("Made by `scripts/measure_emulated`: two real ranks (one core each) train with real layers; messages take the time of the")
print("named interconnect at the named number of ranks and move no data. Every row is EMULATED: nothing here was measured on such a cluster.")
print("`error` is predicted / measured - 1, with the overlap that the run measured and as if messages did not disturb computation.")
print("Samples in which a rank overslept an emulated deadline are rejected; schedules of many messages have many deadlines.")
print(f"Machine: {cpu}. Intervals are 95 %; speed-up is of MG-WFBP against the row, paired by round.\n")
errors = []
for path in sorted(folder.glob("*.json")):
    rows = json.loads(path.read_text())
    first = rows[0]
    print(f"## {first['model']}, batch {first['batch']}, {first['emulated']}\n")
    print("| strategy | messages | samples (rejected) | iteration ms | 95 % interval | predicted ms | error % | without overlap ms | error % | speed-up of MG-WFBP |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for row in rows:
        measured = row["iteration_seconds"]
        interval = row["iteration_interval_seconds"]
        plain = row["predicted_no_overlap_iteration_seconds"]
        speedup = row["mg_wfbp_speedup_interval"]
        told = "-"
        if speedup:
            told = "not distinguishable" if speedup[0] <= 1 <= speedup[1] else f"{row['mg_wfbp_speedup']:.3f} [{speedup[0]:.3f}, {speedup[1]:.3f}]"
        errors.append(abs(row["prediction_error"]))
        print(f"| {row['strategy']} | {row['messages']} | {row['samples']} ({row['rejected_samples']}) | {measured * 1e3:.1f} "
              f"| {'-' if not interval else f'[{interval[0] * 1e3:.1f}, {interval[1] * 1e3:.1f}]'} "
              f"| {row['predicted_iteration_seconds'] * 1e3:.1f} | {row['prediction_error'] * 100:+.1f} "
              f"| {plain * 1e3:.1f} | {(plain / measured - 1) * 100:+.1f} | {told} |")
    print()
errors.sort()
print(f"Median of the absolute prediction errors: {errors[len(errors) // 2] * 100:.1f} %; largest {errors[-1] * 100:.1f} %.")
wfbp = [(row["iteration_seconds"] - row["predicted_iteration_seconds"]) / row["messages"] * 1e3
        for path in sorted(folder.glob("*.json")) for row in json.loads(path.read_text()) if row["strategy"] == "wfbp"]
print(f"\nWFBP's iterations take {min(wfbp):.2f} to {max(wfbp):.2f} ms a message longer than predicted. A message starts when the later of")
print("the two ranks has submitted it, and each wake-up takes some tens of microseconds; a calibration, with ranks in step and")
print("free cores, sees less of both. That this is the cause is likely and not shown.")
