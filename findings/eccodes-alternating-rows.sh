#!/usr/bin/env bash
# Expected: where every second row of a GRIB2 field is stored from east to west (alternativeRowScanning, FM 92 flag table 3.4, bit 4),
#   eccodes' "values", "latitudes" and "longitudes" belong together, point by point.
# Found: "latitudes" and "longitudes" (and the iterator's) are those of rows in one direction, "values" stay as they are stored: every
#   second row is mirrored against its coordinates. Readers that take these three arrays inherit it.
# Package: eccodes 2.28.0 (Debian python3-eccodes).
# Source: WMO Manual on Codes, FM 92 GRIB edition 2, flag table 3.4; message made here by eccodes itself.
set -euo pipefail
/usr/bin/python3 -c 'import eccodes' 2>/dev/null || { echo "This needs Debian's python3-eccodes."; exit 1; }
/usr/bin/python3 - <<'PROGRAM'
import sys
import eccodes

def arrays(alternating):
    field = eccodes.codes_grib_new_from_samples("regular_ll_pl_grib2")
    grid = dict(Ni=3, Nj=2, latitudeOfFirstGridPointInDegrees=10, latitudeOfLastGridPointInDegrees=0,
                longitudeOfFirstGridPointInDegrees=0, longitudeOfLastGridPointInDegrees=20,
                iDirectionIncrementInDegrees=10, jDirectionIncrementInDegrees=10, alternativeRowScanning=alternating)
    for key, value in grid.items():
        eccodes.codes_set(field, key, value)
    # The value is the longitude, in the order in which the rows are stored.
    eccodes.codes_set_values(field, [0.0, 10.0, 20.0, 20.0, 10.0, 0.0] if alternating else [0.0, 10.0, 20.0] * 2)
    return [eccodes.codes_get_array(field, key).tolist() for key in ("values", "longitudes")]

plain, turned = arrays(0), arrays(1)
print("eccodes", eccodes.codes_get_api_version(), "values and longitudes, rows alike:", plain, "alternating:", turned)
sys.exit(0 if plain[0] == plain[1] and turned == [[0, 10, 20, 20, 10, 0], [0, 10, 20, 0, 10, 20]] else 1)
PROGRAM
