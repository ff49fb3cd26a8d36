#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Draws pictures and checks that they are there: check_pictures.py <plot_bench.py> <csv> <folder>."""
import os
import shutil
import subprocess
import sys


def main():
    script, csv_name, folder = sys.argv[1:]
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run([sys.executable, script, csv_name, "--out=" + folder, "--scalar=double", "--layout=right"],
                   check=True)
    names = sorted(os.listdir(folder))
    for beginning in ("heat_contractFieldFieldScalar", "roofline_quick_double_right",
                      "bars_quick_double_right", "cloud_quick_double_right"):
        found = [name for name in names if name.startswith(beginning)]
        assert found, f"no {beginning}*.png among {names}"
        for name in found:
            with open(os.path.join(folder, name), "rb") as file:
                assert file.read(8) == b"\x89PNG\r\n\x1a\n", name
            assert os.path.getsize(os.path.join(folder, name)) > 10000, name
    refused = subprocess.run([sys.executable, script, script], capture_output=True, text=True)
    assert refused.returncode != 0 and "Traceback" not in refused.stderr, refused.stderr


main()
