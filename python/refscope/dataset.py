"""What is to be looked at: where it is, and which places its references name."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path
from typing import Any, Mapping
from urllib.parse import unquote

from .addresses import file_address, file_path, is_web, prefix_of, scheme_of
from .book import Book
from .references import is_references, targets_of, written
from .sources import Options, Source, is_readable, is_zarr_store, of_address, of_bytes, of_file, of_store
from .upstream import Upstream

DICT = "refs://dict/references.json"
STORE = "zarr://store/"
#: Longer documents are read by the page alone.
LARGEST = 1 << 30
#: How one begins.
JSON = (b"{", b" ", b"\n", b"\r", b"\t")


class Dataset:
    def __init__(self, address: str | None, trusted: bool, root: Path | None = None, options: Options | None = None) -> None:
        self.address, self.options = address, options or Options()
        self.book = Book(address or "", trusted)
        self.root = None if root is None else root.resolve()
        self.store: Any = None
        self._document: bytes | None = None
        self._is_known = address is None
        self._knowing = threading.Lock()
        self._sources: dict[str, Source] = {}

    def settled(self) -> Dataset:
        """With whom the user's options are for. Throws ValueError where that must be said."""
        if file_path(self.address or "") is None and self.address != DICT:
            self.options.home = prefix_of(self.address or "")
        elif self.options:
            self.session()
            self.options.settle(self.book.places())
        return self

    def session(self) -> dict[str, Any]:
        """`session.json`. When it is first asked for, what the references name becomes known."""
        with self._knowing:
            if not self._is_known:
                self._look(self.address or "")
                self._is_known = True
        own = [{"prefix": file_address(self.root), "at": "files/"}] if self.root else []
        name = (self.address or "").rstrip("/").rpartition("/")[2]
        return {"version": 1, "open": self.address, "name": name, "relays": own + self.book.relays(), "learn": "learn"}

    def _look(self, address: str) -> None:
        path = file_path(address)
        document = references = None
        try:
            if path is not None:
                document = _document(of_file(Path(unquote(path))))
            else:
                document = self._document or self._fetched(address)
            references = json.loads(document or b"null")
        except Exception:
            pass  # Whatever filesystems throw: why it does not open, the page says.
        if is_references(references):
            self._document = document if path is None else None
            for target, is_folder in targets_of(references):
                self.book.add(target, is_folder)
        # The page asks for this very address, or below it; files it asks for below their folder.
        if path is None:
            self.book.add(address)
            if document is None:
                self.book.add_below(address)

    def _fetched(self, address: str) -> bytes | None:
        """Nothing where nothing is: it may be a folder."""
        if not is_web(address):
            return _document(of_address(address, self.options.of(address)))
        upstream = Upstream(self.book)
        answer, _ = upstream.ask(address, "GET", {}, self.options.headers)
        begins = answer.read(1)
        body = begins + answer.read(LARGEST) if begins in JSON else b""
        upstream.close()
        return body if answer.status == 200 else None

    def source(self, target: str) -> Source:
        """Of a target that the book has."""
        if target == self.address and self._document is not None:
            return of_bytes(self._document)
        if self.store is not None:
            return of_store(self.store, target[len(STORE) :])
        path = file_path(target)
        if path is not None:
            return of_file(Path(path))
        if target not in self._sources:
            self._sources[target] = of_address(target, self.options.of(target))
        return self._sources[target]


def _document(source: Source) -> bytes:
    """Empty where it is no JSON."""
    size = source.size()
    is_meant = 0 < size <= LARGEST and source.read(0, 0) in JSON
    return source.read(0, size - 1) if is_meant else b""


def dataset_of(x: Any, options: Options) -> Dataset:
    for name in ("vz", "virtualize"):
        if hasattr(getattr(x, name, None), "to_kerchunk"):
            x = getattr(x, name).to_kerchunk(format="dict")
            break
    if isinstance(x, Mapping) and is_references(dict(x)):
        dataset = Dataset(DICT, trusted=True, options=options)
        dataset._document = written(dict(x))
        return dataset.settled()
    if isinstance(x, (str, os.PathLike)):
        return dataset_at(os.fspath(x), trusted=True, options=options).settled()
    store = x if is_zarr_store(x) else getattr(x, "store", None)
    if is_zarr_store(store):
        dataset = Dataset(STORE, trusted=True)
        dataset.store, dataset._is_known = store, True
        dataset.book.add_below(STORE)
        return dataset
    kinds = "a path, an address, a dict of references, a virtual dataset or a Zarr store"
    raise TypeError(f"show() takes {kinds}, not {type(x).__name__}.")


def dataset_at(refs: str, trusted: bool, root: str | None = None, options: Options | None = None) -> Dataset:
    """`trusted`: what is on this computer may name whatever is there. What comes from elsewhere may not."""
    path = file_path(refs)
    if path is None:
        scheme = scheme_of(refs)
        if trusted and not is_web(refs) and not is_readable(scheme):
            raise ValueError(f"Nothing here reads {scheme}://: install the package that fsspec has for it, or obstore.")
        return Dataset(refs, False, Path(root) if root else None, options)
    place = Path(path).expanduser().resolve(strict=True)
    folder = Path(root).resolve(strict=True) if root else place if place.is_dir() else place.parent
    if folder != place and folder not in place.parents:
        raise ValueError(f"{refs} is not below --root {root}.")
    return Dataset(file_address(place), trusted, folder, options)
