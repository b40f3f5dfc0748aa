"""Requests over http(s) for the page. Each address on the way is judged before it is asked, by what its name resolves to;
only the host that was asked first is logged in to."""

from __future__ import annotations

import errno
import http.client
import socket
import ssl
from typing import Callable
from urllib.parse import quote, urljoin, urlsplit

from .addresses import is_private_address, is_private_host
from .book import Book

MOST_HOPS = 10
PATIENCE = 30
SAFE = "/%:=&?~+!$,;'@()*[]"
CONTEXT = ssl.create_default_context()
ALWAYS = {"Accept-Encoding": "identity", "User-Agent": "refscope"}


class Unanswered(Exception):
    """Why there is no answer: "unreachable", "private" or "redirect", as `src/cli/serve/upstream.ts` has it."""

    def __init__(self, problem: str, host: str, reason: str = "") -> None:
        super().__init__(problem)
        self.why = {"problem": problem, "host": host, "reason": reason}


class PrivateAddress(OSError):
    """A public name that means an address on this computer or in a private network."""


class Upstream:
    """Connections are kept for the next request to their origin: one of these belongs to one thread."""

    def __init__(self, book: Book) -> None:
        self._book = book
        self._kept: dict[tuple[str, str, bool], http.client.HTTPConnection] = {}

    def close(self) -> None:
        while self._kept:
            self._kept.popitem()[1].close()

    def ask(
        self, url: str, method: str, headers: dict[str, str], log_in: Callable[[str], dict[str, str]]
    ) -> tuple[http.client.HTTPResponse, str | None]:
        """The answer, whose body must be read to its end, and where it came from if a redirect led there, without its query."""
        asked, first, origin = url, urlsplit(url), None
        for _ in range(MOST_HOPS + 1):
            # A redirect leads into a private network where the references name that very address.
            may_be_private = self._book.trusts(url) and (url == asked or self._book.takes(url))
            sent = {**ALWAYS, **headers, **(log_in(url) if origin is None else {})}
            answer = self._once(url, method, sent, may_be_private)
            location = answer.headers.get("Location")
            if answer.status not in (301, 302, 303, 307, 308) or location is None:
                return answer, origin
            self.close()
            url = urljoin(url, location).partition("#")[0]
            parts = urlsplit(url)
            host = parts.netloc.rpartition("@")[2]
            is_public = parts.scheme == "https" and not is_private_host(parts.hostname or "")
            if "@" in parts.netloc or not (is_public or self._book.takes(url)):
                raise Unanswered("redirect", host)
            # Once elsewhere, nobody is logged in to any more.
            if origin is not None or (parts.scheme, parts.netloc) != (first.scheme, first.netloc):
                origin = f"{parts.scheme}://{host}{parts.path}"
        raise Unanswered("redirect", urlsplit(url).netloc)

    def _once(self, url: str, method: str, headers: dict[str, str], may_be_private: bool) -> http.client.HTTPResponse:
        parts = urlsplit(url)
        if not may_be_private and is_private_host(parts.hostname or ""):
            raise Unanswered("private", parts.netloc)
        key = (parts.scheme, parts.netloc, may_be_private)
        path = quote(parts.path or "/", safe=SAFE) + (f"?{quote(parts.query, safe=SAFE)}" if parts.query else "")
        kept = self._kept.pop(key, None)
        for connection in [kept, _connection(*key)] if kept else [_connection(*key)]:
            try:
                connection.request(method, path, headers=headers)
                answer = connection.getresponse()
                self._kept[key] = connection
                return answer
            except (OSError, http.client.HTTPException) as error:
                connection.close()
                failed = error
        # One that was kept may have ended in the meantime; a new one says why.
        if isinstance(failed, PrivateAddress):
            raise Unanswered("private", parts.netloc)
        raise Unanswered("unreachable", parts.netloc, _reason(failed))


def _reason(error: Exception) -> str:
    for kind, name in ((socket.gaierror, "ENOTFOUND"), (ssl.SSLError, "CERT_INVALID"), (socket.timeout, "ETIMEDOUT")):
        if isinstance(error, kind):
            return name
    return errno.errorcode.get(getattr(error, "errno", None) or 0, type(error).__name__)


def _connection(scheme: str, netloc: str, may_be_private: bool) -> http.client.HTTPConnection:
    if scheme == "https":
        connection: http.client.HTTPConnection = http.client.HTTPSConnection(netloc, timeout=PATIENCE, context=CONTEXT)
    else:
        connection = http.client.HTTPConnection(netloc, timeout=PATIENCE)
    # The name is resolved here, once: it cannot mean another address a moment later.
    connection._create_connection = lambda address, *_: _connected(address, may_be_private)  # type: ignore[attr-defined]
    return connection


def _connected(address: tuple[str, int], may_be_private: bool) -> socket.socket:
    found = socket.getaddrinfo(*address, type=socket.SOCK_STREAM)
    if not may_be_private and any(is_private_address(str(place[0])) for *_, place in found):
        raise PrivateAddress(address[0])
    failed = OSError(errno.EHOSTUNREACH, "no address")
    for *_, place in found:
        try:
            return socket.create_connection(place[:2], PATIENCE)
        except OSError as error:
            failed = error
    raise failed
