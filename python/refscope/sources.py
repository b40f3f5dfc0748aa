"""What Python can read for the page with the user's own credentials: fsspec's filesystems, obstore's stores, Zarr stores."""

from __future__ import annotations

import asyncio
import html
import re
import threading
from typing import Any, Coroutine, Mapping, Protocol
from urllib.parse import quote

from .addresses import file_path, scheme_of


class Source(Protocol):
    """Bytes at an address. `size` throws FileNotFoundError where there is nothing."""

    def size(self) -> int: ...

    def read(self, first: int, last: int) -> bytes: ...


class Options:
    """`storage_options` as fsspec takes them: for all, by scheme (`{"s3": {…}}`), or by prefix (`{"https://host/": {…}}`)."""

    def __init__(self, given: Mapping[str, Any] | None) -> None:
        self._given = dict(given or {})

    def of(self, address: str) -> dict[str, Any]:
        prefixes = [key for key in self._given if "://" in key and address.startswith(key)]
        if prefixes:
            return dict(self._given[max(prefixes, key=len)])
        scheme = scheme_of(address) or "file"
        if isinstance(self._given.get(scheme), Mapping):
            return dict(self._given[scheme])
        return {key: value for key, value in self._given.items() if not self._is_key(key, value)}

    @staticmethod
    def _is_key(key: str, value: Any) -> bool:
        return "://" in key or (isinstance(value, Mapping) and key in ("s3", "gs", "gcs", "az", "abfs", "http", "https", "file"))

    def headers(self, address: str) -> dict[str, str]:
        """Of requests over http(s), where fsspec's own take them from."""
        options = self.of(address)
        client = options.get("client_kwargs") or {}
        found = {**(client.get("headers") or {}), **(options.get("headers") or {})}
        if client.get("auth") is not None:
            found["Authorization"] = client["auth"].encode()
        return {str(name): str(value) for name, value in found.items()}


class FsspecSource:
    def __init__(self, address: str, options: dict[str, Any]) -> None:
        import fsspec.core

        self._open = lambda more: fsspec.core.url_to_fs(address, **{**options, **more})
        self._fs, self._path = self._open({})
        self._size: int | None = None
        self._has_options = bool(options)
        self._scheme = scheme_of(address)

    def size(self) -> int:
        if self._size is None:
            try:
                found = self._fs.info(self._path)
            except Exception as error:
                # Public buckets are read without credentials, by who has none.
                if self._has_options or self._scheme != "s3" or "Credential" not in type(error).__name__:
                    raise
                self._fs, self._path = self._open({"anon": True})
                found = self._fs.info(self._path)
            if found.get("type") == "directory" or found.get("size") is None:
                raise FileNotFoundError(self._path)
            self._size = int(found["size"])
        return self._size

    def read(self, first: int, last: int) -> bytes:
        return self._fs.cat_file(self._path, start=first, end=last + 1)


class ObstoreSource:
    def __init__(self, address: str, options: dict[str, Any]) -> None:
        import obstore.store

        root, self._path = re.match(r"([^:]+://[^/]*)/*(.*)", address).groups()  # type: ignore[union-attr]
        self._obstore = obstore
        self._store = obstore.store.from_url(root, **options)

    def size(self) -> int:
        return int(self._obstore.head(self._store, self._path)["size"])

    def read(self, first: int, last: int) -> bytes:
        return bytes(self._obstore.get_range(self._store, self._path, start=first, end=last + 1))


class UnreadableScheme(Exception):
    """Neither fsspec nor obstore can read it here."""


def source_of(address: str, options: dict[str, Any]) -> Source:
    """By fsspec where it has the scheme's package, else by obstore."""
    if file_path(address) is not None and not options:
        raise UnreadableScheme("a file is read without them")
    for kind in (FsspecSource, ObstoreSource):
        try:
            return kind(address, options)
        except (ImportError, ValueError):
            continue
    scheme = scheme_of(address)
    raise UnreadableScheme(f"Python has no package here that reads {scheme}://: install fsspec with what it names, or obstore.")


class ZarrStore:
    """A store with Zarr-Python's interface, Icechunk's among them, by key. Virtual chunks come through the store itself."""

    def __init__(self, store: Any) -> None:
        self.store = store
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, daemon=True).start()

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)

    def _run(self, task: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(task, self._loop).result(timeout=120)

    def source(self, key: str) -> Source:
        return _Key(self, key)

    def size(self, key: str) -> int:
        async def found() -> int:
            if not await self.store.exists(key):
                raise FileNotFoundError(key)
            return int(await self.store.getsize(key))

        return self._run(found())

    def read(self, key: str, first: int, last: int) -> bytes:
        from zarr.abc.store import RangeByteRequest
        from zarr.core.buffer import default_buffer_prototype

        part = RangeByteRequest(first, last + 1)
        found = self._run(self.store.get(key, default_buffer_prototype(), part))
        if found is None:
            raise FileNotFoundError(key)
        return found.to_bytes()

    def index(self, folder: str) -> bytes | None:
        """What lies in it, as Python's own server shows a folder; nothing where it is empty."""

        async def names() -> list[str]:
            return [name async for name in self.store.list_dir(folder.rstrip("/"))]

        async def is_folder(name: str) -> bool:
            return not await self.store.exists(folder + name)

        found = sorted({name.rstrip("/") for name in self._run(names())})[:MOST_LISTED]
        if not found:
            return None

        async def all_kinds() -> list[bool]:
            return list(await asyncio.gather(*(is_folder(name) for name in found)))

        kinds = self._run(all_kinds())
        links = [(name, quote(name) + ("/" if folder else "")) for name, folder in zip(found, kinds)]
        lines = "\n".join(f'<li><a href="{link}">{html.escape(name)}</a></li>' for name, link in links)
        return f"<!doctype html><title>Index of /{html.escape(folder)}</title><ul>\n{lines}\n</ul>".encode()


MOST_LISTED = 10_000


class _Key:
    def __init__(self, store: ZarrStore, key: str) -> None:
        self._store, self._key = store, key

    def size(self) -> int:
        return self._store.size(self._key)

    def read(self, first: int, last: int) -> bytes:
        return self._store.read(self._key, first, last)


def is_zarr_store(value: Any) -> bool:
    return all(hasattr(value, name) for name in ("get", "list_dir", "exists", "getsize"))
