#!/usr/bin/env bash
# Expected: CRS.to_cf writes the parameters by which CF defines the grid mapping, and from_cf uses them: for polar_stereographic
# latitude_of_projection_origin, "either +90. or -90.", says which pole is in the middle.
# Found: to_cf leaves latitude_of_projection_origin out, and from_cf does not read it: the pole is taken from the sign of
# standard_parallel alone. With -90 and a parallel of 71 the map is that of the north.
# Package: pyproj 3.7.2 (PyPI), crs/_cf1x8.py.
# Source: CF conventions 1.11, appendix F, "Polar stereographic".
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet pyproj==3.7.2
"$folder/venv/bin/python" -W ignore - <<'PROGRAM'
import sys
import pyproj

def mapping(origin, parallel):
    return {
        "grid_mapping_name": "polar_stereographic", "latitude_of_projection_origin": origin,
        "straight_vertical_longitude_from_pole": 0.0, "standard_parallel": parallel,
    }

north = pyproj.CRS.from_cf(mapping(90.0, 70.0))
written = sorted(key for key in north.to_cf() if "latitude" in key or "parallel" in key)
south = pyproj.CRS.from_cf(mapping(-90.0, 71.0)).to_dict()
print("pyproj", pyproj.__version__, written, "lat_0 of -90 with 71:", south["lat_0"])
sys.exit(0 if written == ["standard_parallel"] and south["lat_0"] == 90 else 1)
PROGRAM
