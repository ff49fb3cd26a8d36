#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Checks a file of kontract_operators, draws its pictures and checks that they are there:
check_operators.py <plot_operators.py> <csv> <folder>."""
import csv
import os
import shutil
import subprocess
import sys

COLUMNS = """contestant operation geometry scalar p points cells unknowns ran status reason seconds spread
    ns_per_cell gdofs bytes share difference""".split()
CONTEXT = set("date processor kontract kokkos space threads peers without copy_gbytes copy_gbytes_after".split())


def check_rows(csv_name):
    with open(csv_name, newline="", encoding="utf-8") as file:
        lines = list(file)
    context = dict(line[2:].rstrip().split(": ", 1) for line in lines if line.startswith("# "))
    assert set(context) - {"device"} == CONTEXT, CONTEXT ^ set(context)
    rows = list(csv.DictReader(line for line in lines if not line.startswith("# ")))
    copy = float(context["copy_gbytes"]) * 1e9
    for row in rows:
        assert list(row) == COLUMNS, row
        assert row["status"] == "ok" and row["ran"], row
        seconds = float(row["seconds"])
        assert abs(float(row["unknowns"]) / seconds * 1e-9 / float(row["gdofs"]) - 1) < 1e-4, row
        assert abs(float(row["bytes"]) / copy / seconds / float(row["share"]) - 1) < 1e-2, row
        assert (row["difference"] == "") == (row["geometry"] == "factors"), row
    kinds = {(row["scalar"], row["operation"], row["geometry"], row["p"]) for row in rows}
    assert len(kinds) == len(rows) == 2 * 3 * 3 * 3, len(rows)


def check_pictures(script, csv_name, folder):
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run([sys.executable, script, csv_name, "--out=" + folder], check=True)
    names = sorted(os.listdir(folder))
    assert names == ["operators_double.png", "operators_float.png"], names
    for name in names:
        with open(os.path.join(folder, name), "rb") as file:
            assert file.read(8) == b"\x89PNG\r\n\x1a\n", name
        assert os.path.getsize(os.path.join(folder, name)) > 10000, name
    refused = subprocess.run([sys.executable, script, script], capture_output=True, text=True)
    assert refused.returncode != 0 and "Traceback" not in refused.stderr, refused.stderr


def main():
    script, csv_name, folder = sys.argv[1:]
    check_rows(csv_name)
    check_pictures(script, csv_name, folder)


main()
