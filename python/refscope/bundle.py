"""What the wheel holds in one file that is packed as a whole, which makes it half as large: the page, and the terminal."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from functools import lru_cache
from pathlib import Path

HERE = Path(__file__).resolve().parent
ARCHIVE = HERE / "bundle.xz"
#: In a checkout, what `vite build` writes.
BUILT = HERE.parent.parent / "dist"


@lru_cache(maxsize=1)
def files() -> dict[str, bytes]:
    """`page/index.html` …: a line of names and sizes, then the files one after another."""
    if not ARCHIVE.is_file():
        if not (BUILT / "index.html").is_file():
            raise FileNotFoundError("The page has not been built: run “npx vite build” in the repository.")
        paths = [path for path in (*BUILT.glob("*.*"), *BUILT.glob("assets/*")) if path.is_file()]
        return {f"page/{path.relative_to(BUILT).as_posix()}": path.read_bytes() for path in paths}
    import lzma

    with lzma.open(ARCHIVE) as archive:
        return {name: archive.read(size) for name, size in json.loads(archive.readline())}


def program() -> Path | None:
    """The terminal's program, unpacked where the user's other caches are; None where there is none."""
    if not ARCHIVE.is_file():
        return None
    caches = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA") or Path.home() / ".cache"
    folder = Path(caches) / HERE.name / hashlib.sha256(ARCHIVE.read_bytes()).hexdigest()[:16]
    if not folder.is_dir():
        folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(dir=folder.parent))
        for name, data in files().items():
            path = made / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        try:
            made.rename(folder)
        except OSError:
            # Another process was as fast.
            if not folder.is_dir():
                raise
    return folder / "bin" / "refscope.cjs"
