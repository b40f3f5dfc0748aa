"""What Python can read for the page with the user's own credentials: files, fsspec's filesystems, obstore's and Zarr's stores."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field
from email.utils import formatdate
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Callable, Iterable, Mapping
from urllib.parse import quote

from .addresses import canonical, has_dots, is_web, prefix_of, scheme_of

#: Schemes that name nothing but public services' buckets.
BUCKETS = ("s3", "s3a", "gs", "gcs", "az", "abfs", "abfss", "adl", "hf", "oss")
#: No stranger is behind these: what the user gave for all is given to them.
NOBODYS = (*BUCKETS, "", "file", "local", "memory")
MOST_LISTED, MOST_NAMED = 10_000, 20


@dataclass
class Source:
    """Bytes at an address. Both throw FileNotFoundError where there is nothing."""

    size: Callable[[], int]
    #: First and last byte.
    read: Callable[[int, int], bytes]
    head: dict[str, str] = field(default_factory=dict)


class Options:
    """`storage_options` as fsspec takes them: for all, by scheme (`{"s3": {…}}`), or by prefix (`{"https://host/": {…}}`).

    References can name any host. What is given for none in particular goes to the dataset's own alone, which is `home`."""

    def __init__(self, given: Mapping[str, Any] | None = None) -> None:
        self._given = dict(given or {})
        self._keys = {key: _beginning(key) for key, value in self._given.items() if isinstance(value, Mapping) and _is_place(key)}
        self.home = ""

    def __bool__(self) -> bool:
        return bool(self._given)

    def of(self, address: str) -> dict[str, Any]:
        is_meant = self.is_named(address) or scheme_of(address) in NOBODYS or prefix_of(address) == self.home
        return self._fitting(address) if is_meant else {}

    def is_named(self, address: str) -> bool:
        return any("://" in key for key in self._keys_of(address))

    def _fitting(self, address: str) -> dict[str, Any]:
        fits = self._keys_of(address)
        if fits:
            return dict(self._given[max(fits, key=len)])
        return {key: value for key, value in self._given.items() if key not in self._keys}

    def _keys_of(self, address: str) -> list[str]:
        asked = canonical(address)
        # A server may take dots for a way out of the folder.
        most = len(prefix_of(address)) if has_dots(asked) else len(asked)
        return [key for key, beginning in self._keys.items() if asked[:most].startswith(beginning)]

    def settle(self, places: Iterable[str]) -> None:
        """Of references that are the user's own, what is given for no host in particular is for the only one that they name.
        Throws ValueError where they name several."""
        open_to = [place for place in places if not self.is_named(place) and self._is_for(place)]
        self.home = open_to[0] if len(open_to) == 1 else ""
        if len(open_to) > 1:
            lines = "".join(f'\n  "{place}": {{…}},' for place in open_to[:MOST_NAMED])
            more = f"\n  and {len(open_to) - MOST_NAMED} more" if len(open_to) > MOST_NAMED else ""
            said = f"The references name {len(open_to)} hosts, and storage_options are given for none of them in particular."
            raise ValueError(f"{said} Give them by host, to those that may have them:{lines}{more}")

    def _is_for(self, place: str) -> bool:
        """Whether anything would go to the place, were it the dataset's own."""
        own = Options(self._given)
        own.home = place
        return bool(own.headers(place) if is_web(place) else scheme_of(place) not in NOBODYS and own.of(place))

    def headers(self, address: str) -> dict[str, str]:
        """Of requests over http(s), from where fsspec takes them; in the clear only for what the user named."""
        if scheme_of(address) == "http" and not self._keys_of(address):
            return {}
        options = self.of(address)
        client = options.get("client_kwargs") or {}
        log_in = {"Authorization": client["auth"].encode()} if client.get("auth") else {}
        return {**(client.get("headers") or {}), **(options.get("headers") or {}), **log_in}


def _is_place(key: str) -> bool:
    return "://" in key or key in (*BUCKETS, "http", "https", "file", "ftp", "sftp")


def _beginning(key: str) -> str:
    """Of the addresses that a key is for: a host's name ends where it ends."""
    if "://" not in key:
        return f"{key}:"
    return canonical(key if "/" in key.partition("://")[2] else f"{key}/")


@lru_cache(maxsize=None)
def is_readable(scheme: str) -> bool:
    """Whether fsspec has the scheme's package here, or obstore knows it."""
    try:
        import fsspec

        fsspec.get_filesystem_class(scheme)
        return True
    except (ImportError, ValueError):
        return scheme in BUCKETS and find_spec("obstore") is not None


def of_bytes(data: bytes) -> Source:
    return Source(lambda: len(data), lambda first, last: data[first : last + 1])


def of_file(path: Path) -> Source:
    if not path.is_file():
        raise FileNotFoundError(path)

    def read(first: int, last: int) -> bytes:
        with path.open("rb") as file:
            file.seek(first)
            return file.read(last - first + 1)

    info = path.stat()
    return Source(lambda: info.st_size, read, {"Last-Modified": formatdate(info.st_mtime, usegmt=True)})


def of_address(address: str, options: dict[str, Any]) -> Source:
    try:
        import fsspec.core

        fs, path = fsspec.core.url_to_fs(address, **options)
    except (ImportError, ValueError):
        return _by_obstore(address, options)

    def size() -> int:
        nonlocal fs
        try:
            found = fs.info(path)
        except Exception as error:
            # Public buckets are read without credentials, by who has none.
            if options or scheme_of(address) != "s3" or "Credential" not in type(error).__name__:
                raise
            fs = fsspec.core.url_to_fs(address, anon=True)[0]
            found = fs.info(path)
        if found.get("size") is None or found.get("type") == "directory":
            raise FileNotFoundError(path)
        return int(found["size"])

    return Source(lru_cache(maxsize=1)(size), lambda first, last: fs.cat_file(path, start=first, end=last + 1))


def _by_obstore(address: str, options: dict[str, Any]) -> Source:
    import obstore.store

    root, path = re.match(r"([^:]+://[^/]*)/*(.*)", address).groups()  # type: ignore[union-attr]
    store = obstore.store.from_url(root, **options)
    size = lru_cache(maxsize=1)(lambda: int(obstore.head(store, path)["size"]))
    return Source(size, lambda first, last: bytes(obstore.get_range(store, path, start=first, end=last + 1)))


def is_zarr_store(value: Any) -> bool:
    return all(hasattr(value, name) for name in ("get", "list_dir", "exists", "getsize"))


def of_store(store: Any, key: str) -> Source:
    """A store with Zarr-Python's interface, Icechunk's among them. Virtual chunks come through the store itself."""
    from zarr.abc.store import RangeByteRequest
    from zarr.core.buffer import default_buffer_prototype
    from zarr.core.sync import sync

    async def names() -> list[str]:
        return [name async for name in store.list_dir(key.rstrip("/"))]

    if key == "" or key.endswith("/"):
        return of_bytes(_index(key, sync(names())))
    if not sync(store.exists(key)):
        raise FileNotFoundError(key)

    def read(first: int, last: int) -> bytes:
        return sync(store.get(key, default_buffer_prototype(), RangeByteRequest(first, last + 1))).to_bytes()

    return Source(lambda: int(sync(store.getsize(key))), read)


def _index(folder: str, names: list[str]) -> bytes:
    """What lies in a group, as Python's own server shows a folder: documents have these names, all else are folders."""
    found = sorted({name.rstrip("/") for name in names})[:MOST_LISTED]
    is_file = re.compile(r"zarr\.json|\.z[a-z]+")
    lines = [f'<li><a href="{quote(name)}{"" if is_file.fullmatch(name) else "/"}">{html.escape(name)}</a></li>' for name in found]
    return f"<!doctype html><title>Index of /{html.escape(folder)}</title><ul>{''.join(lines)}</ul>".encode()
