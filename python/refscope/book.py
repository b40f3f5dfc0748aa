"""What the page may be given of other places: exactly the targets that the references name."""

from __future__ import annotations

import re
from typing import Callable
from urllib.parse import quote, unquote, urljoin, urlsplit

from .addresses import canonical, file_path, has_dots, is_private_host, is_web, prefix_of, scheme_of


class Book:
    """`trusted`: the dataset is the user's own, and may name files, this computer and its network. `web_only`: nothing but
    http(s) is read, as which buckets are asked, too."""

    def __init__(self, base: str, trusted: bool, web_only: bool = False) -> None:
        self.base = base
        self.trusted = trusted
        self.web_only = web_only
        self.allow_private = False
        self.prefixes: list[str] = []
        self._by_hand: list[str] = []
        self._exact: dict[str, str] = {}
        self._below: list[str] = []

    def add(self, target: str, is_folder: bool = False) -> None:
        """A target as a reference writes it."""
        asked, address = self._asked(target)
        if asked == "" or (is_web(asked) and "@" in urlsplit(asked).netloc) or (self.web_only and not is_web(asked)):
            return
        if is_folder:
            self.add_below(asked)
        else:
            self._exact.setdefault(canonical(asked), address)
            if not is_web(asked) or self.trusts(asked) or not is_private_host(urlsplit(asked).hostname or ""):
                self._note(prefix_of(asked))

    def add_below(self, prefix: str, by_hand: bool = False) -> None:
        """All that begins with it."""
        prefix = canonical(prefix if prefix.endswith("/") else f"{prefix}/")
        self._below.append(prefix)
        self._note(prefix_of(prefix))
        if by_hand:
            self._by_hand.append(prefix)

    def _asked(self, target: str) -> tuple[str, str]:
        """The address as which the page asks for it, empty where it does not, and the one that is read."""
        scheme = scheme_of(target)
        if target.startswith("/") or scheme in ("file", "local"):
            return (f"file://{file_path(target)}", target) if self.trusted else ("", "")
        if scheme == "" and is_web(self.base):
            return urljoin(self.base, target), urljoin(self.base, target)
        if scheme == "":
            asked = f"{self.base.rpartition('/')[0]}/{target}"
            return (asked, target if self.trusted else asked) if scheme_of(self.base) not in ("", "file") else ("", "")
        if self.web_only and scheme in BUCKETS:
            bucket, _, key = target.partition("://")[2].partition("/")
            address = BUCKETS[scheme](bucket) + quote(key)
            return address, address
        return target, target

    def _note(self, prefix: str) -> None:
        if prefix not in self.prefixes:
            self.prefixes.append(prefix)

    def relays(self) -> list[dict[str, str]]:
        return [{"prefix": prefix, "at": f"relay/{index}/"} for index, prefix in enumerate(self.prefixes)]

    def find(self, index: str, rest: str) -> str | None:
        """The address that is meant, as its reference writes it; None where it is not to be asked."""
        if not re.fullmatch(r"\d{1,6}", index) or int(index) >= len(self.prefixes):
            return None
        prefix = self.prefixes[int(index)]
        if is_web(prefix):
            return self._takes(prefix + rest)
        return self._takes(prefix + unquote(rest)) or self._takes(prefix + rest)

    def _takes(self, address: str) -> str | None:
        asked = canonical(address)
        written = self._exact.get(asked)
        if written is not None:
            return written
        folder = next((prefix for prefix in self._below if asked.startswith(prefix)), None)
        return None if folder is None or has_dots(unquote(asked[len(folder) :])) else address

    def takes(self, address: str) -> bool:
        """Where redirects may lead, besides public addresses over https."""
        return is_web(address) and self._takes(address) is not None

    def trusts(self, address: str) -> bool:
        """Whether it may be on this computer or in a private network."""
        if self.trusted or self.allow_private or any(canonical(address).startswith(prefix) for prefix in self._by_hand):
            return True
        host = urlsplit(self.base).hostname if is_web(self.base) else None
        return host is not None and is_private_host(host)


def _s3(bucket: str) -> str:
    # A name that fits into no label of the certificate's.
    return f"https://{bucket}.s3.amazonaws.com/" if re.fullmatch(r"[a-z\d-]+", bucket) else f"https://s3.amazonaws.com/{bucket}/"


def _gs(bucket: str) -> str:
    return f"https://storage.googleapis.com/{bucket}/"


#: Public addresses of buckets, as the page makes them.
BUCKETS: dict[str, Callable[[str], str]] = {"s3": _s3, "s3a": _s3, "s3n": _s3, "gs": _gs, "gcs": _gs}
