"""Which targets a document of references names (Kerchunk, Versions 0 and 1)."""

from __future__ import annotations

import base64
import json
import re
from typing import Any, Iterator

METADATA = {".zgroup", ".zarray", ".zattrs", ".zmetadata", "zarr.json"}
NAME = re.compile(r"\{\{\s*(\w+)\s*\}\}")


def is_references(document: Any) -> bool:
    refs = document.get("refs", document) if isinstance(document, dict) else None
    return isinstance(refs, dict) and any(str(key).rpartition("/")[2] in METADATA for key in refs)


def targets_of(document: dict[str, Any]) -> Iterator[tuple[str, bool]]:
    """Each as it is written, templates filled in, and whether it is only the folder in which targets are: where names are
    computed (`gen`, expressions), their fixed beginning is all that is known. Nothing is evaluated."""
    written = [value[0] for value in document.get("refs", document).values() if isinstance(value, (list, tuple)) and value]
    texts: dict[str, str] = {}
    if document.get("version") == 1:
        texts = {name: text for name, text in (document.get("templates") or {}).items() if isinstance(text, str)}
        written += [one.get("url") for one in document.get("gen") or [] if isinstance(one, dict)]
    for url in dict.fromkeys(url for url in written if isinstance(url, str)):
        for _ in range(4):
            url = NAME.sub(lambda found: texts.get(found[1], found[0]), url)
        if "{{" not in url:
            # Of a chain (`zip://a.nc::s3://bucket/b.zip`) what is fetched is its last part.
            last = url.rpartition("::")[2]
            if last and not last.startswith("data:"):
                yield last, False
            continue
        # A template that is called: any that has parameters may be meant.
        for text in [url] if not url.startswith("{{") else [text for text in texts.values() if "{{" in text]:
            folder = text.split("{{")[0].rpartition("/")[0] + "/"
            if re.match(r"[a-z][a-z\d+.-]+://[^/]+/", folder, re.I):
                yield folder, True


def written(document: dict[str, Any]) -> bytes:
    """As JSON: bytes as Kerchunk writes them, numbers of NumPy as numbers."""
    refs = document.get("refs", document)
    texts = {key: _text(bytes(value)) if isinstance(value, (bytes, bytearray)) else value for key, value in refs.items()}
    whole = {**document, "refs": texts} if "refs" in document else texts
    return json.dumps(whole, default=lambda value: value.item() if hasattr(value, "item") else str(value)).encode()


def _text(value: bytes) -> str:
    is_text = value.isascii() and not value.startswith(b"base64:")
    return value.decode("ascii") if is_text else "base64:" + base64.b64encode(value).decode("ascii")
