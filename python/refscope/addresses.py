"""How addresses are written, and which of them are on this computer or in a private network."""

from __future__ import annotations

import ipaddress
import os
import re
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

#: Names that no public DNS has (RFC 6761, 6762, 8375), and those of routers.
PRIVATE_SUFFIXES = (".localhost", ".local", ".localdomain", ".internal", ".intranet", ".lan", ".home", ".corp", ".home.arpa")
#: A network's own translator and tunnels to machines behind a router, which hide where they lead (RFC 8215, 4380).
HIDING = [ipaddress.ip_network(one) for one in ("64:ff9b:1::/48", "2001::/32", "fec0::/10")]
WRAPPING = [ipaddress.ip_network(one) for one in ("::/96", "::ffff:0:0/96", "::ffff:0:0:0/96", "64:ff9b::/96")]


def is_private_address(text: str) -> bool:
    """Of an address in numbers. What cannot be read is private."""
    try:
        address = ipaddress.ip_address(text.split("%")[0])
    except ValueError:
        return True
    if address.version == 6:
        if any(address in network for network in HIDING):
            return True
        is_wrapped = any(address in network for network in WRAPPING)
        address = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF) if is_wrapped else address.sixtofour or address
    return not address.is_global or address.is_multicast or address.is_reserved


def is_private_host(host: str) -> bool:
    """Of a host's name as it is written. A public name may still mean a private address: see `upstream.connected`."""
    name = host.lower().rstrip(".")
    if ":" in name or re.fullmatch(r"[\d.]+", name):
        return is_private_address(name)
    # A name without a dot can only be a neighbour's; one that ends with a number is an address in another notation.
    return "." not in name or name.endswith(PRIVATE_SUFFIXES) or bool(re.search(r"\.(?:\d+|0x[\da-f]*)$", name))


def scheme_of(address: str) -> str:
    """Empty for a path, one of Windows too."""
    found = re.match(r"([A-Za-z][A-Za-z\d+.-]+):", address)
    return found[1].lower() if found else ""


def is_web(address: str) -> bool:
    return scheme_of(address) in ("http", "https")


def host_of(address: str) -> str:
    return urlsplit(address).hostname or ""


def prefix_of(address: str) -> str:
    """Scheme and authority: the origin, or the bucket; of what has neither, all of it."""
    found = re.match(r"[A-Za-z][A-Za-z\d+.-]+://[^/?#]*/", address)
    return canonical(found[0]) if found else address


def canonical(address: str) -> str:
    """One spelling of a web address: what a browser makes of it, and what was written, come to the same."""
    if not is_web(address):
        return address
    parts = urlsplit(address)
    host = re.sub(r":(?:80)?$" if parts.scheme == "http" else r":(?:443)?$", "", parts.netloc.lower())
    return f"{parts.scheme}://{host}{unquote(parts.path) or '/'}" + (f"?{parts.query}" if parts.query else "")


def has_dots(path: str) -> bool:
    """Whether a part of the path leads elsewhere."""
    return any(part in (".", "..") for part in re.split(r"[/\\]", path))


def file_address(path: Path) -> str:
    """As the page writes it; of a folder with a slash at its end."""
    text = "/" + path.as_posix().lstrip("/")
    return "file://" + quote(text, safe="/!'()*~:@=,$&;") + ("/" if path.is_dir() and text != "/" else "")


def file_path(address: str) -> str | None:
    """The path, if it is one or the address of one."""
    if scheme_of(address) not in ("file", "local"):
        return None if scheme_of(address) else address
    path = re.sub(r"^(?:file|local):(?://(?:localhost(?=/))?)?", "", address, flags=re.I)
    return path[1:] if os.name == "nt" and re.match(r"/[A-Za-z]:", path) else path
