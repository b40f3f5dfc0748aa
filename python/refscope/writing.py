"""`write`: the references of a dataset in another form, by the program of the terminal."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from typing import Any

from .bundle import program
from .cli import NAME, node


def write(
    source: str | os.PathLike[str],
    out: str | os.PathLike[str],
    form: str = "icechunk",
    *,
    prefix: str | None = None,
    message: str | None = None,
    options: Sequence[str] = (),
) -> dict[str, Any]:
    """Writes a dataset as `icechunk`, `kerchunk-parquet`, `kerchunk-json`, `kerchunk-json-v0`, or `zarr` (its bytes too).

    source: a path or an address of anything that Refscope opens: references, a Zarr store, an Icechunk repository, HDF5,
    NetCDF, GRIB or DMR++.

    out: the new folder or file.

    prefix: where sources with relative or local paths will lie (`s3://bucket/data`, `file:///data`): Icechunk needs one.

    message: of Icechunk's commit. options: more of `refscope write --help`, as the terminal takes them.

    Returns what was written: `references`, `files`, `bytes`, and `findings`, which name what was left out. Raises
    ValueError where it cannot be written. Needs Node (`pip install "refscope[cli]"`).
    """
    found, entry = node(), program()
    if found is None or entry is None:
        raise RuntimeError(f'write() needs Node: pip install "{NAME}[cli]", or install it from https://nodejs.org.')
    command = [found, str(entry), "write", os.fspath(source), "--as", form, "--out", os.fspath(out), "--json"]
    for name, value in (("--prefix", prefix), ("--message", message)):
        command += [] if value is None else [name, value]
    done = subprocess.run([*command, *options], capture_output=True, text=True, encoding="utf-8", check=False)
    if done.returncode not in (0, 1):
        raise ValueError(done.stderr.strip())
    return json.loads(done.stdout)
