#!/usr/bin/env bash
# Expected: h5py reads lists of variable length whose elements are big-endian as the numbers that were stored, as it reads datasets of one
#   big-endian number an element.
# Found: the bytes of each number come in the wrong order: what was written as 1, 2 reads as 16777216, 33554432, without an error.
# Package: h5py 3.7.0 (Debian python3-h5py).
# Source: HDF5 File Format Specification, datatype message, byte order of fixed-point numbers. The file is made here by h5py, and h5dump
#   shows 1, 2 in it.
set -euo pipefail
/usr/bin/python3 -c 'import h5py' 2>/dev/null || { echo "This needs Debian's python3-h5py."; exit 1; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
/usr/bin/python3 -W ignore - "$folder/lists.h5" <<'PROGRAM'
import sys
import h5py
import numpy

with h5py.File(sys.argv[1], "w") as file:
    for name, order in (("big", ">i4"), ("little", "<i4")):
        file.create_dataset(name, (1,), h5py.vlen_dtype(numpy.dtype(order)))[0] = numpy.array([1, 2], order)
with h5py.File(sys.argv[1]) as file:
    found = {name: file[name][0].tolist() for name in file}
    print("h5py", h5py.__version__, {name: (str(file[name][0].dtype), found[name]) for name in file})
sys.exit(0 if found == {"big": [16777216, 33554432], "little": [1, 2]} else 1)
PROGRAM
