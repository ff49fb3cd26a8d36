#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Checks the files of kontract_bench: check_files.py <csv> <json>."""
import csv
import json
import platform
import sys

COLUMNS = set("""suite case chain function shape scalar layout C L R P D E terms contestant kind ran status
    reason copies calls flops bytes seconds spread latency replay gflops gbytes roof roof_seconds of_limit over_intrepid2
    over_best_peer best_peer of_best""".split())
CONTEXT = set("""date processor cores caches compiler flags kontract commit kokkos backends space threads
    peers peak_double_gflops peak_float_gflops peak_instructions copy_gbytes read_gbytes drift""".split())
OF_DEVICES = set("device capability multiprocessors device_caches device_memory cuda cublas architecture hip".split())


def main():
    csv_name, json_name = sys.argv[1:]
    with open(csv_name, newline="", encoding="utf-8") as file:
        text = file.read()
    lines = text.splitlines(keepends=True)
    context = dict(line[2:].rstrip().split(": ", 1) if ": " in line else (line[2:].rstrip(" :\n"), "")
                   for line in lines if line.startswith("# "))
    rows = list(csv.DictReader(line for line in lines if not line.startswith("# ")))
    with open(json_name, encoding="utf-8") as file:
        json_text = file.read()
    result = json.loads(json_text)

    assert set(context) == set(result["context"])
    assert set(context) - OF_DEVICES == CONTEXT, CONTEXT ^ set(context)
    assert rows and len(rows) == len(result["rows"])
    name = platform.node()
    assert len(name) < 4 or name not in text + json_text, "the name of the machine is in the files"
    for row, same in zip(rows, result["rows"]):
        assert set(row) == COLUMNS == set(same), COLUMNS ^ set(row)
        assert row["contestant"] == same["contestant"]
        assert row["status"] in ("ok", "refused"), row
        if row["status"] == "refused":
            assert row["reason"] and float(row["seconds"]) == 0, row
            continue
        seconds, roof = float(row["seconds"]), float(row["roof"])
        assert seconds > 0 and roof > 0, row
        assert abs(float(row["roof_seconds"]) / seconds / roof - 1) < 1e-4, row
        assert abs(float(row["bytes"]) / seconds * 1e-9 / float(row["gbytes"]) - 1) < 1e-4, row
        if row["kind"] == "kontract":
            assert row["ran"], row
            if row["contestant"] not in ("Auto",):
                assert row["ran"].startswith(row["contestant"]), row
    for kind in ("kontract", "peer"):
        assert any(row["kind"] == kind and row["status"] == "ok" for row in rows) or kind == "peer"
    for scalar in ("float", "double", "complex_float", "complex_double"):
        for layout in ("right", "left", "strided"):
            assert any(row["scalar"] == scalar and row["layout"] == layout for row in rows)
    print(len(rows), "rows")


main()
