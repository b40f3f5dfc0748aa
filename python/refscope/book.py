"""What the page may be given of other places: exactly the targets that the references name."""

from __future__ import annotations

import re
from urllib.parse import unquote, urljoin, urlsplit

from .addresses import canonical, file_path, has_dots, host_of, is_private_host, is_web, prefix_of, scheme_of
from .sources import BUCKETS, is_readable


class Book:
    """`trusted`: the dataset is the user's own, and may name files, this computer and its network."""

    def __init__(self, base: str, trusted: bool) -> None:
        self.base = base
        self.trusted = self.allow_private = trusted
        self._prefixes: dict[str, None] = {}
        self._exact: dict[str, str] = {}
        self._below: list[str] = []
        self._by_hand: list[str] = []

    def add(self, target: str, is_folder: bool = False) -> None:
        """A target as a reference writes it."""
        try:
            asked, address = self._asked(target)
            if asked == "" or (is_web(asked) and "@" in urlsplit(asked).netloc):
                return
        except ValueError:  # No address.
            return
        if is_folder:
            self.add_below(asked)
            return
        self._exact.setdefault(canonical(asked), address)
        if not is_web(asked) or self.trusts(asked) or not is_private_host(host_of(asked)):
            self._prefixes[prefix_of(asked)] = None

    def add_below(self, prefix: str, by_hand: bool = False) -> None:
        """All that begins with it."""
        prefix = canonical(prefix if prefix.endswith("/") else f"{prefix}/")
        self._below.append(prefix)
        self._prefixes[prefix_of(prefix)] = None
        if by_hand:
            self._by_hand.append(prefix)

    def _asked(self, target: str) -> tuple[str, str]:
        """The address as which the page asks for it, empty where it does not, and the one that is read."""
        path, scheme, base = file_path(target), scheme_of(target), scheme_of(self.base)
        if target == self.base:
            return target, target
        if path is not None and (scheme != "" or path.startswith("/")):
            return (f"file://{path}", path) if self.trusted else ("", "")
        if path is None:
            is_known = is_web(target) or (is_readable(scheme) and (self.trusted or scheme in BUCKETS))
            return (target, target) if is_known else ("", "")
        if is_web(self.base):
            return urljoin(self.base, target), urljoin(self.base, target)
        # Of a dict they are relative to where Python is; neighbours of a file are read below its folder.
        asked = f"{self.base.rpartition('/')[0]}/{target}"
        return ("", "") if base in ("", "file") else (asked, target if self.trusted else asked)

    def places(self) -> list[str]:
        return list(self._prefixes)

    def relays(self) -> list[dict[str, str]]:
        return [{"prefix": prefix, "at": f"relay/{index}/"} for index, prefix in enumerate(self.places())]

    def find(self, index: str, rest: str) -> str | None:
        """The address that is meant, as its reference writes it; None where it is not to be asked."""
        prefix = dict(enumerate(self._prefixes)).get(int(index) if re.fullmatch(r"\d{1,6}", index) else -1)
        if prefix is None:
            return None
        return self._takes(prefix + rest) if is_web(prefix) else self._takes(prefix + unquote(rest)) or self._takes(prefix + rest)

    def _takes(self, address: str) -> str | None:
        asked = canonical(address)
        folder = next((prefix for prefix in self._below if asked.startswith(prefix)), None)
        is_below = folder is not None and not has_dots(unquote(asked[len(folder) :]))
        return self._exact.get(asked, address if is_below else None)

    def takes(self, address: str) -> bool:
        """Where redirects may lead, besides public addresses over https."""
        return is_web(address) and self._takes(address) is not None

    def trusts(self, address: str) -> bool:
        """Whether it may be on this computer or in a private network."""
        is_by_hand = any(canonical(address).startswith(prefix) for prefix in self._by_hand)
        return self.allow_private or is_by_hand or (is_web(self.base) and is_private_host(host_of(self.base)))
