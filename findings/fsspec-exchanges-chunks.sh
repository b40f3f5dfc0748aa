#!/usr/bin/env bash
# Expected: a list of keys read through fsspec's reference filesystem (as zarr reads a selection of several chunks) gives each key the
#   bytes that its reference names, as reading the keys one by one does.
# Found: where the references' offsets are not in ascending order and the ranges are too far apart to be merged (64 kB), the bytes go to
#   the keys in the order of the offsets: chunks change places, without an error. Zarr shows the array's blocks in the wrong order.
# Package: fsspec 2022.11.0 (Debian python3-fsspec), with zarr 2.13.6 (Debian python3-zarr); right in fsspec 2026.6.0.
# Source: fsspec/implementations/reference.py, ReferenceFileSystem.cat: merge_offset_ranges sorts, and the keys are not sorted with it.
set -euo pipefail
/usr/bin/python3 -c 'import fsspec, zarr' 2>/dev/null || { echo "This needs Debian's python3-fsspec and python3-zarr."; exit 1; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
/usr/bin/python3 -W ignore - "$folder/data.bin" <<'PROGRAM'
import json
import sys
import fsspec
import numpy
import zarr

path, gap = sys.argv[1], 200_000
# Chunk 1 lies before chunk 0, as in files whose chunks were not written in order.
with open(path, "wb") as file:
    file.write(numpy.array([3, 4], "<i4").tobytes() + bytes(gap) + numpy.array([1, 2], "<i4").tobytes())
array = dict(zarr_format=2, shape=[4], chunks=[2], dtype="<i4", compressor=None, filters=None, order="C", fill_value=0)
references = {".zgroup": '{"zarr_format": 2}', "x/.zarray": json.dumps(array), "x/0": [path, 8 + gap, 8], "x/1": [path, 0, 8]}
files = fsspec.filesystem("reference", fo=references, remote_protocol="file")
x = zarr.open_group(files.get_mapper(""), mode="r")["x"]
together, apart = x[:].tolist(), x[:2].tolist() + x[2:].tolist()
print("fsspec", fsspec.__version__, "zarr", zarr.__version__, "- both chunks at once:", together, "- one by one:", apart)
sys.exit(0 if (together, apart) == ([3, 4, 1, 2], [1, 2, 3, 4]) else 1)
PROGRAM
