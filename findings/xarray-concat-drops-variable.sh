#!/usr/bin/env bash
# Expected: xarray.concat of two datasets treats a variable that one of them lacks alike, whichever of them comes first.
# Found: where the second lacks it, concat raises ("is not present in all datasets"); where the first lacks it, the variable is left
#   out without a warning. open_mfdataset with combine="nested" does the same.
# Package: xarray 2023.01 (Debian python3-xarray).
# Source: xarray.concat's documentation: the default data_vars="all" says that all data variables will be concatenated.
set -euo pipefail
/usr/bin/python3 -c 'import xarray' 2>/dev/null || { echo "This needs Debian's python3-xarray."; exit 1; }
/usr/bin/python3 -W ignore - <<'PROGRAM'
import sys
from importlib.metadata import version
import xarray

full = xarray.Dataset({"x": ("time", [1.0]), "y": ("time", [2.0])}, {"time": [0]})
lacking = xarray.Dataset({"x": ("time", [3.0])}, {"time": [1]})

def joined(*datasets):
    try:
        return sorted(xarray.concat(datasets, "time").data_vars)
    except ValueError as error:
        return str(error)

found = joined(full, lacking), joined(lacking, full)
print("xarray", version("xarray"), "(999 is Debian's 2023.01),", "second lacks y:", found[0], "- first lacks y:", found[1])
sys.exit(0 if found == ("'y' is not present in all datasets.", ["x"]) else 1)
PROGRAM
