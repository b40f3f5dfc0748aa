"""What is to be looked at: where it is, and which places its references name."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, Mapping

from .addresses import file_address, file_path, is_web, scheme_of
from .book import Book
from .references import is_references, targets_of, written
from .sources import Options, ZarrStore, is_zarr_store, source_of
from .upstream import Upstream

DICT = "refs://dict/references.json"
STORE = "zarr://store/"
#: Longer documents are read by the page alone.
LARGEST = 1 << 30


class Dataset:
    def __init__(self, address: str | None, book: Book, root: Path | None = None) -> None:
        self.address, self.book = address, book
        self.root = None if root is None else root.resolve()
        self.store: ZarrStore | None = None
        #: Documents that are given from memory, by address.
        self.documents: dict[str, bytes] = {}

    def session(self) -> dict[str, Any]:
        own = [{"prefix": file_address(self.root), "at": "files/"}] if self.root else []
        own += [{"prefix": STORE, "at": "store/"}] if self.store else []
        name = (self.address or "").rstrip("/").rpartition("/")[2]
        return {"version": 1, "open": self.address, "name": name, "relays": own + self.book.relays(), "learn": "learn"}

    def note(self, document: Any) -> bool:
        """Whether these are references, whose targets are to be given from now on."""
        if not is_references(document):
            return False
        for target, is_folder in targets_of(document):
            self.book.add(target, is_folder)
        return True

    def look(self, options: Options) -> None:
        """Reads the document that is there, if it is one."""
        address = self.address or ""
        path = file_path(address)
        if path is not None:
            place = Path(path)
            if place.is_file() and place.stat().st_size <= LARGEST:
                self.note(_json(place.read_bytes()))
            return
        document = _read(address, self.book, options)
        if document is not None and self.note(_json(document)):
            self.documents[address] = document
            self.book.add(address)
        elif document is not None:
            self.book.add(address)
        else:
            self.book.add_below(address)


def _json(text: bytes) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _read(address: str, book: Book, options: Options) -> bytes | None:
    """Nothing where it is no document: a folder, or something long."""
    try:
        if not is_web(address):
            source = source_of(address, options.of(address))
            size = source.size()
            return source.read(0, size - 1) if 0 < size <= LARGEST else None
        upstream = Upstream()
        sent = {"Accept-Encoding": "identity", "User-Agent": "refscope"}
        answer, _ = upstream.ask(address, "GET", sent, options.headers(address), takes=book.takes, trusts=book.trusts)
        body = answer.read(LARGEST) if answer.status == 200 else None
        upstream.close()
        return body
    except FileNotFoundError:
        return None


def dataset_of(x: Any, options: Options) -> Dataset:
    for name in ("vz", "virtualize"):
        if hasattr(getattr(x, name, None), "to_kerchunk"):
            x = getattr(x, name).to_kerchunk(format="dict")
            break
    if isinstance(x, Mapping) and is_references(dict(x)):
        dataset = Dataset(DICT, Book(DICT, trusted=True))
        dataset.note(x)
        dataset.documents[DICT] = written(dict(x))
        dataset.book.add(DICT)
        return dataset
    if isinstance(x, (str, os.PathLike)):
        dataset = at(os.fspath(x), trusted=True)
        dataset.look(options)
        return dataset
    store = x if is_zarr_store(x) else getattr(x, "store", None)
    if is_zarr_store(store):
        dataset = Dataset(STORE, Book(STORE, trusted=True))
        dataset.store = ZarrStore(store)
        return dataset
    raise TypeError(
        f"show() takes a path, an address, a dict of references, a virtual dataset or a Zarr store, not {type(x).__name__}."
    )


def at(refs: str, trusted: bool, root: str | None = None, web_only: bool = False) -> Dataset:
    """`trusted`: what is on this computer may name whatever is there. What comes from elsewhere may not."""
    path = file_path(refs)
    if path is None:
        return Dataset(refs, Book(refs, trusted=False, web_only=web_only), Path(root) if root else None)
    place = Path(path).expanduser().resolve(strict=True)
    folder = Path(root).resolve(strict=True) if root else place if place.is_dir() else place.parent
    if folder != place and folder not in place.parents:
        raise ValueError(f"{refs} is not below --root {root}.")
    address = file_address(place)
    return Dataset(address, Book(address, trusted, web_only), folder)
