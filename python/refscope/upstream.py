"""Requests over http(s) for the page. Each address on the way is judged before it is asked, by what its name resolves to;
only the host that was asked first is logged in to."""

from __future__ import annotations

import errno
import http.client
import socket
import ssl
import urllib.request
from base64 import b64encode
from typing import Callable
from urllib.parse import quote, unquote, urljoin, urlsplit

from .addresses import is_private_address, is_private_host

MOST_HOPS = 10
PATIENCE = 30
CONTEXT = ssl.create_default_context()


class Unanswered(Exception):
    """Why there is no answer: "unreachable", "private" or "redirect", as `cli/serve/upstream.ts` has it."""

    def __init__(self, problem: str, host: str, reason: str = "") -> None:
        super().__init__(problem)
        self.why = {"problem": problem, "host": host, **({"reason": reason} if reason else {})}


class Upstream:
    """Connections are kept for the next request to their origin: one of these belongs to one thread."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str, bool], http.client.HTTPConnection] = {}

    def close(self) -> None:
        for connection in self._kept.values():
            connection.close()
        self._kept.clear()

    def ask(
        self,
        address: str,
        method: str,
        headers: dict[str, str],
        log_in: dict[str, str],
        *,
        takes: Callable[[str], bool],
        trusts: Callable[[str], bool],
    ) -> tuple[http.client.HTTPResponse, str | None]:
        """The answer, whose body must be read to its end, and where it came from if a redirect led there, without its query."""
        url, origin, first = address, None, urlsplit(address)
        for _ in range(MOST_HOPS + 1):
            sent = {**headers, **(log_in if origin is None else {})}
            answer = self._once(url, method, sent, trusts(url))
            location = answer.headers.get("Location")
            if answer.status not in (301, 302, 303, 307, 308) or location is None:
                return answer, origin
            self.close()
            url = urljoin(url, location).partition("#")[0]
            parts = urlsplit(url)
            host = parts.netloc.rpartition("@")[2]
            is_public = parts.scheme == "https" and not is_private_host(parts.hostname or "")
            if parts.scheme not in ("http", "https") or "@" in parts.netloc or not (is_public or takes(url)):
                raise Unanswered("redirect", host)
            # Once elsewhere, nobody is logged in to any more.
            is_elsewhere = origin is not None or (parts.scheme, parts.netloc) != (first.scheme, first.netloc)
            if is_elsewhere:
                origin = f"{parts.scheme}://{host}{parts.path}"
        raise Unanswered("redirect", urlsplit(url).netloc)

    def _once(self, url: str, method: str, headers: dict[str, str], may_be_private: bool) -> http.client.HTTPResponse:
        parts = urlsplit(url)
        host = parts.hostname or ""
        if not may_be_private and is_private_host(host):
            raise Unanswered("private", parts.netloc)
        key = (parts.scheme, parts.netloc, may_be_private)
        path = quote(parts.path or "/", safe=SAFE) + (f"?{quote(parts.query, safe=SAFE)}" if parts.query else "")
        for is_kept in (True, False):
            connection = self._kept.pop(key, None) if is_kept else _connection(parts.scheme, host, parts.port, may_be_private)
            if connection is None:
                continue
            try:
                connection.request(method, path, headers=headers)
                answer = connection.getresponse()
                self._kept[key] = connection
                return answer
            except (OSError, http.client.HTTPException) as error:
                connection.close()
                # A connection that was kept may have ended in the meantime.
                if not is_kept:
                    raise Unanswered(*_reason(error, parts.netloc)) from None
        raise Unanswered("unreachable", parts.netloc)


SAFE = "/%:=&?~+!$,;'@()*[]"


def _reason(error: Exception, host: str) -> tuple[str, str, str]:
    if isinstance(error, PrivateAddress):
        return ("private", host, "")
    if isinstance(error, socket.gaierror):
        return ("unreachable", host, "ENOTFOUND")
    if isinstance(error, ssl.SSLCertVerificationError):
        return ("unreachable", host, "CERT_INVALID")
    if isinstance(error, TimeoutError) or isinstance(error, socket.timeout):
        return ("unreachable", host, "ETIMEDOUT")
    return ("unreachable", host, errno.errorcode.get(getattr(error, "errno", None) or 0, type(error).__name__))


class PrivateAddress(OSError):
    """A public name that means an address on this computer or in a private network."""


def _connection(scheme: str, host: str, port: int | None, may_be_private: bool) -> http.client.HTTPConnection:
    if scheme == "http":
        connection = http.client.HTTPConnection(host, port, timeout=PATIENCE)
    else:
        connection = http.client.HTTPSConnection(host, port, timeout=PATIENCE, context=CONTEXT)
        proxy = None if may_be_private or urllib.request.proxy_bypass(host) else urllib.request.getproxies().get("https")
        if proxy:
            return _by_proxy(proxy, host, port)
    # The name is resolved here, once: it cannot mean another address a moment later.
    connection._create_connection = lambda address, *rest: connected(address, may_be_private)  # type: ignore[attr-defined]
    return connection


def _by_proxy(proxy: str, host: str, port: int | None) -> http.client.HTTPConnection:
    """Who has a proxy reaches others by it alone: it resolves names, and guards its network."""
    parts = urlsplit(proxy if "://" in proxy else f"http://{proxy}")
    user = f"{unquote(parts.username)}:{unquote(parts.password or '')}" if parts.username else ""
    log_in = {"Proxy-Authorization": f"Basic {b64encode(user.encode()).decode()}"} if user else {}
    connection = http.client.HTTPSConnection(parts.hostname or "", parts.port or 80, timeout=PATIENCE, context=CONTEXT)
    connection.set_tunnel(host, port or 443, headers=log_in)
    return connection


def connected(address: tuple[str, int], may_be_private: bool) -> socket.socket:
    host, port = address
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    if not may_be_private and any(is_private_address(str(place[0])) for *_, place in found):
        raise PrivateAddress(host)
    last: OSError = OSError(errno.EHOSTUNREACH, "no address")
    for family, kind, protocol, _, place in found:
        sock = socket.socket(family, kind, protocol)
        try:
            sock.settimeout(PATIENCE)
            sock.connect(place)
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return sock
        except OSError as error:
            sock.close()
            last = error
    raise last
