"""A server on loopback for one user: everything lies below a random token, which only its address has. It answers GET and
HEAD, to who asks it by its own name, and to no other site's page. The same rules as `src/cli/serve/`, one list of attacks."""

from __future__ import annotations

import hmac
import json
import os
import re
import secrets
import threading
from email.utils import formatdate
from http import HTTPStatus
from http.client import HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from socketserver import TCPServer
from typing import Any, BinaryIO, Callable, Iterable
from urllib.parse import unquote, urlsplit

from .addresses import file_path, is_web
from .bundle import files
from .dataset import Dataset
from .sources import Options, Source, UnreadableScheme, ZarrStore, source_of
from .upstream import Unanswered, Upstream

#: Systems map .js to text/plain, with which browsers refuse modules (Windows' registry, some Debian).
TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".ttf": "font/ttf",
    ".wasm": "application/wasm",
}
BYTES = "application/octet-stream"
PIECE = 1 << 18
#: A connection that asks nothing for so many seconds is closed; one that takes nothing of an answer, later.
IDLE, PATIENCE = 10, 60
MOST_THREADS = 400
#: How long the page waits for the references to be read.
PATIENT = 20
#: Headers of an answer that say something of the bytes; none that a server sets, or that tell who asked.
KEPT = ("Accept-Ranges", "Content-Encoding", "Content-Length", "Content-Range", "Content-Type", "ETag", "Last-Modified", "Retry-After")
LOOPBACK = "http://localhost:* http://127.0.0.1:*"


class Server(ThreadingHTTPServer):
    """`framers`: in whose pages this one may be shown; None: nobody's. `behind`: a proxy asks, by a name of its own."""

    daemon_threads = True
    request_queue_size = 128
    allow_reuse_address = os.name == "posix"

    def __init__(
        self,
        dataset: Dataset,
        *,
        options: Options | None = None,
        port: int = 0,
        framers: str | None = None,
        behind: bool = False,
        knows: threading.Event | None = None,
    ) -> None:
        files()
        super().__init__(("127.0.0.1", port), Handler)
        self.dataset, self.options, self.framers, self.behind, self.knows = dataset, options or Options(None), framers, behind, knows
        self.token = secrets.token_urlsafe(24)
        self.own = {f"127.0.0.1:{self.server_port}", f"localhost:{self.server_port}"}
        self._sources: dict[str, Source] = {}

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/{self.token}/"

    def server_bind(self) -> None:
        # Without the name of this host, which http.server looks up.
        TCPServer.server_bind(self)
        self.server_name, self.server_port = "127.0.0.1", self.server_address[1]

    def verify_request(self, request: Any, client_address: Any) -> bool:
        return threading.active_count() < MOST_THREADS

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Who left in the middle is no error, and nothing is logged."""

    def source(self, target: str) -> Source:
        found = self._sources.get(target)
        if found is None:
            found = self._sources.setdefault(target, source_of(target, self.options.of(target)))
        return found


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "refscope", ""
    timeout = IDLE
    server: Server

    def setup(self) -> None:
        super().setup()
        self.upstream = Upstream()

    def finish(self) -> None:
        self.upstream.close()
        super().finish()

    def log_message(self, *_: object) -> None:
        """The token is in every line."""

    def answer(self) -> None:
        self.connection.settimeout(PATIENCE)
        self.wants_body, self.has_begun = self.command == "GET", False
        try:
            refused = self.refusal()
            if refused is None:
                self.route(*re.match(r"/[^/]*/([^?]*)\??(.*)", self.path, re.S).groups())  # type: ignore[union-attr]
            else:
                self.close_connection |= self.command not in ("GET", "HEAD")
                self.end(refused)
        except (OSError, HTTPException):
            self.close_connection = True
            self.upstream.close()
        self.connection.settimeout(IDLE)

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = do_PATCH = do_OPTIONS = do_TRACE = do_CONNECT = answer

    def refusal(self) -> HTTPStatus | None:
        """The status of who may not ask."""
        host, origin = self.headers.get("Host", ""), self.headers.get("Origin")
        # A name that somebody else has made to mean this machine (DNS rebinding). A proxy's own is not known here.
        if not self.server.behind and host not in self.server.own:
            return HTTPStatus.MISDIRECTED_REQUEST
        own = {f"http://{host}", f"https://{host}"} if self.server.behind else {f"http://{name}" for name in self.server.own}
        if origin not in own | {None} or not self.is_own_page():
            return HTTPStatus.FORBIDDEN
        if self.command not in ("GET", "HEAD"):
            return HTTPStatus.METHOD_NOT_ALLOWED
        given = re.match(r"/([^/?]*)/", self.path)
        same = hmac.compare_digest((given[1] if given else "").encode("utf-8", "replace"), self.server.token.encode())
        return None if same else HTTPStatus.NOT_FOUND

    def is_own_page(self) -> bool:
        """Browsers say from where they ask. Whoever follows a link to the page comes from anywhere, as who frames it does,
        which the policy of the page decides."""
        site, mode, into = (self.headers.get(f"Sec-Fetch-{one}") for one in ("Site", "Mode", "Dest"))
        frames = ("document",) if self.server.framers is None else ("document", "iframe")
        return site in (None, "none", "same-origin") or (mode == "navigate" and into in frames)

    def route(self, path: str, query: str) -> None:
        dataset, (first, _, rest) = self.server.dataset, path.partition("/")
        if path in ("session.json", "learn"):
            if self.server.knows is not None:
                self.server.knows.wait(PATIENT)
            session = dataset.session()
            return self.give(json.dumps(session if path == "session.json" else {"relays": session["relays"]}).encode(), TYPES[".json"])
        if first == "relay":
            index, _, below = rest.partition("/")
            return self.relay(index, f"{below}?{query}" if query else below)
        if first == "store" and dataset.store is not None:
            return self.of_store(dataset.store, unquote(rest), query)
        if first == "files" and dataset.root is not None:
            return self.file(dataset.root, rest)
        self.of_page(path or "index.html")

    def of_page(self, path: str) -> None:
        page = files()
        body = page.get(f"page/{path}")
        if body is None:
            return self.end(HTTPStatus.NOT_FOUND)
        # What a document says of itself holds for it; workers go by the headers of their own file.
        self.policy = declared(body if path.endswith(".html") else page["page/index.html"])
        if path == "nunjucks.html":
            self.policy += "; sandbox allow-scripts"
        self.give(body, TYPES.get(os.path.splitext(path)[1], BYTES))

    policy = "default-src 'none'"

    def file(self, root: Path, path: str) -> None:
        """A path as it stands in an address. Links are followed to what lies below the folder."""
        try:
            parts = [unquote(part, errors="strict") for part in path.split("/")]
            if any(part in ("", ".", "..") or re.search(r"[/\\\x00]", part) for part in parts):
                return self.end(HTTPStatus.NOT_FOUND)
            real = root.joinpath(*parts).resolve(strict=True)
            real.relative_to(root)
            self.opened(real)
        except (FileNotFoundError, NotADirectoryError, PermissionError, ValueError, RuntimeError):
            self.end(HTTPStatus.NOT_FOUND)

    def opened(self, path: Path) -> None:
        if not path.is_file():
            return self.end(HTTPStatus.NOT_FOUND)
        with path.open("rb") as file:
            info = os.fstat(file.fileno())

            def read(first: int, last: int) -> Iterable[bytes]:
                file.seek(first)
                return pieces(file, last - first + 1)

            self.ranged(info.st_size, read, {"Content-Type": BYTES, "Last-Modified": formatdate(info.st_mtime, usegmt=True)})

    def ranged(self, size: int, read: Callable[[int, int], Iterable[bytes]], head: dict[str, str]) -> None:
        """All of it, or one closed range."""
        head = {**head, "Accept-Ranges": "bytes", "Refscope-Relay": "answered"}
        asked = self.headers.get("Range")
        found = re.fullmatch(r"bytes=(\d{1,16})-(\d{1,16})", asked or "bytes=0-9999999999999999")
        first, last = (int(found[1]), min(int(found[2]), size - 1)) if found else (1, 0)
        if asked is not None and (first > last or found is None):
            return self.end(HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE, {**head, "Content-Range": f"bytes */{size}"})
        if asked is not None:
            head["Content-Range"] = f"bytes {first}-{last}/{size}"
        body = read(first, last) if self.wants_body and last >= first else ()
        self.begin(HTTPStatus.OK if asked is None else HTTPStatus.PARTIAL_CONTENT, {**head, "Content-Length": str(last - first + 1)})
        for piece in body:
            self.wfile.write(piece)

    def relay(self, index: str, rest: str) -> None:
        target = self.server.dataset.book.find(index, rest)
        if target is None:
            return self.end(HTTPStatus.FORBIDDEN)
        try:
            self.of_target(target)
        except FileNotFoundError:
            self.end(HTTPStatus.NOT_FOUND, {"Refscope-Relay": "answered"})
        except PermissionError:
            self.end(HTTPStatus.FORBIDDEN, {"Refscope-Relay": "answered"})
        except Unanswered as error:
            self.failed(error.why)
        except (ConnectionError, HTTPException):
            raise
        except Exception as error:
            # Whatever a filesystem throws: its words may hold what the user logs in with.
            host = urlsplit(target).netloc.rpartition("@")[2]
            reason = str(error) if isinstance(error, UnreadableScheme) else type(error).__name__
            self.failed({"problem": "unreachable", "host": host, "reason": reason})

    def failed(self, why: dict[str, str]) -> None:
        if self.has_begun:
            raise ConnectionAbortedError
        self.give(json.dumps(why).encode(), TYPES[".json"], HTTPStatus.BAD_GATEWAY, {"Refscope-Relay": "failed"})

    def of_target(self, target: str) -> None:
        document = self.server.dataset.documents.get(target)
        if document is not None:
            return self.ranged(len(document), lambda first, last: [document[first : last + 1]], {"Content-Type": TYPES[".json"]})
        if is_web(target):
            return self.of_web(target)
        path = file_path(target)
        if path is not None:
            return self.opened(Path(path))
        self.of_source(self.server.source(target))

    def of_source(self, source: Source) -> None:
        def read(first: int, last: int) -> Iterable[bytes]:
            # Before the answer begins, so that what fails is said.
            return [source.read(first, last)]

        self.ranged(source.size(), read, {"Content-Type": BYTES})

    def of_web(self, target: str) -> None:
        asked, book = self.headers.get("Range"), self.server.dataset.book
        if asked is not None and not re.fullmatch(r"bytes=\d{1,16}-\d{1,16}", asked):
            return self.end(HTTPStatus.BAD_REQUEST)
        sent = {"Accept-Encoding": "identity", "User-Agent": "refscope", **({"Range": asked} if asked else {})}
        log_in = self.server.options.headers(target)
        answer, origin = self.upstream.ask(target, self.command, sent, log_in, takes=book.takes, trusts=book.trusts)
        head = {name: answer.headers[name] for name in KEPT if answer.headers[name] is not None}
        moved = {} if origin is None else {"Refscope-From": origin}
        self.close_connection |= answer.length is None and self.wants_body and answer.status != HTTPStatus.NO_CONTENT
        self.begin(answer.status, {**head, "Refscope-Relay": "answered", **moved})
        for piece in pieces(answer, None) if self.wants_body else ():
            self.wfile.write(piece)

    def of_store(self, store: ZarrStore, key: str, query: str) -> None:
        index = store.index(key) if (key == "" or key.endswith("/")) and query == "" else None
        if index is not None:
            return self.give(index, TYPES[".html"], HTTPStatus.OK, {"Refscope-Relay": "answered"})
        try:
            self.of_source(store.source(key))
        except FileNotFoundError:
            self.end(HTTPStatus.NOT_FOUND, {"Refscope-Relay": "answered"})
        except (ConnectionError, HTTPException):
            raise
        except Exception as error:
            self.failed({"problem": "unreachable", "host": "", "reason": type(error).__name__})

    def give(self, body: bytes, kind: str, status: int = HTTPStatus.OK, head: dict[str, str] | None = None) -> None:
        self.begin(status, {**(head or {}), "Content-Type": kind, "Content-Length": str(len(body))})
        if self.wants_body:
            self.wfile.write(body)

    def end(self, status: int, head: dict[str, str] | None = None) -> None:
        self.begin(status, {**(head or {}), "Content-Length": "0"})

    def begin(self, status: int, head: dict[str, str]) -> None:
        framers = self.server.framers
        self.has_begun = True
        self.send_response(status)
        safe = {
            "Cache-Control": "no-store",
            "Content-Security-Policy": f"{self.policy}; frame-ancestors 'self' {framers or ''}".rstrip(),
            "Cross-Origin-Resource-Policy": "same-origin",
            "Referrer-Policy": "no-referrer",
            "X-Content-Type-Options": "nosniff",
            **({"X-Frame-Options": "SAMEORIGIN"} if framers is None else {}),
        }
        for name, value in {**safe, **head}.items():
            self.send_header(name, re.sub(r"[\r\n]", " ", value))
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()


def pieces(file: BinaryIO | Any, left: int | None) -> Iterable[bytes]:
    while left is None or left > 0:
        piece = file.read(PIECE if left is None else min(PIECE, left))
        if not piece:
            return
        yield piece
        left = None if left is None else left - len(piece)


def declared(document: bytes) -> str:
    found = re.search(r'http-equiv="Content-Security-Policy"\s+content="([^"]+)"', document.decode("utf-8"))
    return found[1] if found else "default-src 'none'"
