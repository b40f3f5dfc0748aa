"""Which targets a document of references names (Kerchunk, Versions 0 and 1)."""

from __future__ import annotations

import base64
import json
import re
from typing import Any, Iterator

PLAIN = re.compile(r"\{\{\s*(\w+)\s*\}\}")


def is_references(document: Any) -> bool:
    if not isinstance(document, dict):
        return False
    refs = document.get("refs", document)
    return isinstance(refs, dict) and any(key.rpartition("/")[2] in METADATA for key in refs if isinstance(key, str))


METADATA = {".zgroup", ".zarray", ".zattrs", ".zmetadata", "zarr.json"}


def targets_of(document: dict) -> Iterator[tuple[str, bool]]:
    """Each as it is written, templates filled in, and whether it is only the folder in which targets are: where names are
    computed (`gen`, expressions), their fixed beginning is all that is known."""
    templates = document.get("templates") if document.get("version") == 1 else None
    texts = {name: value for name, value in (templates or {}).items() if isinstance(value, str)}
    seen = set()
    for value in _values(document):
        url = value[0] if isinstance(value, (list, tuple)) and value else None
        if not isinstance(url, str) or url in seen:
            continue
        seen.add(url)
        yield from _filled(url, texts) if "{{" in url else _parts(url)
    for one in document.get("gen", []) if templates is not None or document.get("version") == 1 else []:
        if isinstance(one, dict) and isinstance(one.get("url"), str):
            yield from _filled(one["url"], texts)


def _values(document: dict) -> Iterator[Any]:
    refs = document.get("refs", document)
    return iter(refs.values() if isinstance(refs, dict) else ())


def _filled(url: str, texts: dict[str, str]) -> Iterator[tuple[str, bool]]:
    """Nothing is evaluated: only names are filled in."""
    for _ in range(4):
        url = PLAIN.sub(lambda found: texts.get(found[1], found[0]), url)
    if "{{" not in url:
        yield from _parts(url)
        return
    # A template that is called: any that has parameters may be meant.
    beginnings = [url] if not url.startswith("{{") else [text for text in texts.values() if "{{" in text]
    for text in beginnings:
        folder = text.split("{{")[0].rpartition("/")[0] + "/"
        if re.match(r"[a-z][a-z\d+.-]+://[^/]+/", folder, re.I):
            yield folder, True


def _parts(url: str) -> Iterator[tuple[str, bool]]:
    """Of a chain (`zip://a.nc::s3://bucket/b.zip`) what is fetched is its last part."""
    last = url.rpartition("::")[2]
    if last and not last.startswith("data:"):
        yield last, False


def written(document: dict) -> bytes:
    """As JSON: bytes as Kerchunk writes them, numbers of NumPy as numbers."""
    refs = document.get("refs", document)
    texts = {key: _text(value) if isinstance(value, (bytes, bytearray, memoryview)) else value for key, value in refs.items()}
    whole = {**document, "refs": texts} if "refs" in document else texts
    return json.dumps(whole, default=lambda value: value.item() if hasattr(value, "item") else str(value)).encode()


def _text(value: bytes) -> str:
    raw = bytes(value)
    if raw.isascii() and not raw.startswith(b"base64:"):
        return raw.decode("ascii")
    return "base64:" + base64.b64encode(raw).decode("ascii")
