"""A server on loopback for one user: everything lies below a random token, which only its address has. It answers GET and
HEAD, to who asks it by its own name, and to no other site's page. The same rules as `src/cli/serve/`, one list of attacks."""

from __future__ import annotations

import hmac
import json
import os
import re
import secrets
import threading
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from socketserver import TCPServer
from typing import Any
from urllib.parse import unquote

from .addresses import is_web
from .bundle import files
from .dataset import Dataset
from .sources import Source, of_file
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
ZARR = re.compile(r"\.(?:z(?:array|attrs|group|metadata)|ncz(?:array|attr|group|metadata))")
#: So much is read at once.
PIECE = 1 << 22
CLOSED = re.compile(r"bytes=(\d{1,16})-(\d{1,16})")
#: A connection that asks nothing for so many seconds is closed; one that takes nothing of an answer, later.
IDLE, PATIENCE = 10, 60
MOST_THREADS = 400
#: Headers of an answer that say something of the bytes; none that a server sets, or that tell who asked.
KEPT = ("Accept-Ranges", "Content-Encoding", "Content-Length", "Content-Range", "ETag", "Last-Modified", "Retry-After")
LOOPBACK = "http://localhost:* http://127.0.0.1:*"


class Server(ThreadingHTTPServer):
    """`framers`: in whose pages this one may be shown; None: nobody's. `behind`: a proxy asks, by a name of its own."""

    daemon_threads = True
    request_queue_size = 128
    allow_reuse_address = os.name == "posix"

    def __init__(self, dataset: Dataset, port: int = 0, framers: str | None = None, behind: bool = False) -> None:
        files()
        super().__init__(("127.0.0.1", port), Handler)
        self.dataset, self.framers, self.behind = dataset, framers, behind
        self.token = secrets.token_urlsafe(24)
        self.own = {f"127.0.0.1:{self.server_port}", f"localhost:{self.server_port}"}
        self.base = f"http://127.0.0.1:{self.server_port}/{self.token}/"

    def server_bind(self) -> None:
        # Without the name of this host, which http.server looks up.
        TCPServer.server_bind(self)
        self.server_name, self.server_port = "127.0.0.1", self.server_address[1]

    def verify_request(self, request: Any, client_address: Any) -> bool:
        return threading.active_count() < MOST_THREADS

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Who left in the middle is no error, and nothing is logged."""


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "refscope", ""
    timeout = IDLE
    server: Server

    def setup(self) -> None:
        super().setup()
        self.upstream = Upstream(self.server.dataset.book)

    def finish(self) -> None:
        self.upstream.close()
        super().finish()

    def log_message(self, *_: object) -> None:
        """The token is in every line."""

    def send_error(self, code: int, *_: object) -> None:
        """Of what is no request. Its own would repeat the line."""
        self.close_connection = True
        self.end(code)

    #: What the page is told of an answer that is another's: "answered" or "failed".
    relay = ""
    #: Opened in a tab, nothing runs as if it were the page; what is the page says so itself.
    policy = "default-src 'none'; sandbox"
    has_begun = False

    def answer(self) -> None:
        self.connection.settimeout(PATIENCE)
        self.policy, self.relay, self.has_begun = Handler.policy, "", False
        try:
            refused = self.refusal()
            if refused is None:
                self.route(*re.match(r"/[^/]*/([^?]*)\??(.*)", self.path, re.S).groups())  # type: ignore[union-attr]
            else:
                self.close_connection |= self.command not in ("GET", "HEAD")
                self.end(refused)
        except Exception as error:
            self.upstream.close()
            if self.has_begun or isinstance(error, (ConnectionError, TimeoutError)):
                self.close_connection = True
            else:
                self.failed(error)
        self.connection.settimeout(IDLE)

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = do_PATCH = do_OPTIONS = do_TRACE = do_CONNECT = answer

    def failed(self, error: Exception) -> None:
        if isinstance(error, (FileNotFoundError, NotADirectoryError)):
            return self.end(HTTPStatus.NOT_FOUND)
        if isinstance(error, PermissionError):
            return self.end(HTTPStatus.FORBIDDEN)
        # Of whatever a filesystem throws the kind alone: its words may hold what the user logs in with.
        why = error.why if isinstance(error, Unanswered) else {"problem": "unreachable", "host": "", "reason": type(error).__name__}
        self.relay = "failed"
        self.give(json.dumps(why).encode(), TYPES[".json"], HTTPStatus.BAD_GATEWAY)

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
        """Browsers say from where they ask. Whoever follows a link to the page comes from anywhere; so does who frames it,
        which the page's policy decides."""
        site, mode, into = (self.headers.get(f"Sec-Fetch-{one}") for one in ("Site", "Mode", "Dest"))
        is_frame = into == "iframe" and self.server.framers is not None
        return site in (None, "none", "same-origin") or (mode == "navigate" and (into == "document" or is_frame))

    def route(self, path: str, query: str) -> None:
        dataset, (first, _, rest) = self.server.dataset, path.partition("/")
        if path in ("session.json", "learn"):
            return self.give(json.dumps(dataset.session()).encode(), TYPES[".json"])
        if first == "files" and dataset.root is not None:
            self.relay = "answered"
            return self.ranged(of_file(place_below(dataset.root, rest)))
        if first != "relay":
            return self.of_page(path or "index.html")
        index, _, below = rest.partition("/")
        target = dataset.book.find(index, f"{below}?{query}" if query else below)
        if target is None:
            return self.end(HTTPStatus.FORBIDDEN)
        self.relay = "answered"
        return self.of_web(target) if is_web(target) else self.ranged(dataset.source(target))

    def of_page(self, path: str) -> None:
        page = files()
        if f"page/{path}" not in page:
            return self.end(HTTPStatus.NOT_FOUND)
        body = page[f"page/{path}"]
        # What a document says of itself holds for it; workers go by the headers of their own file.
        document = body if path.endswith(".html") else page["page/index.html"]
        declared = re.search(rb'http-equiv="Content-Security-Policy"\s+content="([^"]+)"', document)
        self.policy = declared[1].decode() if declared else self.policy
        if path == "nunjucks.html":
            self.policy += "; sandbox allow-scripts"
        self.give(body, TYPES.get(os.path.splitext(path)[1], BYTES))

    def ranged(self, source: Source) -> None:
        """All of it, or one closed range."""
        size, asked = source.size(), self.headers.get("Range")
        found = CLOSED.fullmatch(asked or f"bytes=0-{size}")
        first, last = (int(found[1]), min(int(found[2]), size - 1)) if found else (1, 0)
        head = {"Content-Type": BYTES, "Accept-Ranges": "bytes", **source.head}
        if asked is not None and first > last:
            return self.end(HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE, {**head, "Content-Range": f"bytes */{size}"})
        if asked is not None:
            head["Content-Range"] = f"bytes {first}-{last}/{size}"
        pieces = (exactly(source, at, min(last, at + PIECE - 1)) for at in range(first, last + 1, PIECE))
        # The first before the answer begins, so that what fails is said.
        piece = next(pieces, b"") if self.command == "GET" else b""
        self.begin(HTTPStatus.OK if asked is None else HTTPStatus.PARTIAL_CONTENT, {**head, "Content-Length": str(last - first + 1)})
        while piece:
            self.wfile.write(piece)
            piece = next(pieces, b"")

    def of_web(self, target: str) -> None:
        asked, dataset = self.headers.get("Range"), self.server.dataset
        if asked is not None and not CLOSED.fullmatch(asked):
            return self.end(HTTPStatus.BAD_REQUEST)
        answer, origin = self.upstream.ask(target, self.command, {"Range": asked} if asked else {}, dataset.options.headers)
        head = {name: answer.headers[name] for name in KEPT if answer.headers[name] is not None}
        is_chunked = answer.length is None and self.command == "GET"
        # A tab would show what a stranger's server calls a page: the type is for the page alone.
        head.update({"Content-Type": BYTES, "Refscope-Type": answer.headers["Content-Type"] or ""})
        from_elsewhere = {"Refscope-From": origin} if origin else {}
        self.begin(answer.status, {**head, **from_elsewhere, **({"Transfer-Encoding": "chunked"} if is_chunked else {})})
        piece = answer.read(PIECE)
        while piece:
            self.wfile.write(b"%x\r\n%b\r\n" % (len(piece), piece) if is_chunked else piece)
            piece = answer.read(PIECE)
        # What is cut short must not look whole.
        if answer.length:
            raise ConnectionAbortedError
        if is_chunked:
            self.wfile.write(b"0\r\n\r\n")

    def give(self, body: bytes, kind: str, status: int = HTTPStatus.OK) -> None:
        self.begin(status, {"Content-Type": kind, "Content-Length": str(len(body))})
        if self.command == "GET":
            self.wfile.write(body)

    def end(self, status: int, head: dict[str, str] | None = None) -> None:
        self.begin(status, {**(head or {}), "Content-Length": "0"})

    def begin(self, status: int, head: dict[str, str]) -> None:
        framers, self.has_begun = self.server.framers, True
        self.send_response(status)
        every = {
            "Cache-Control": "no-store",
            "Content-Security-Policy": f"{self.policy}; frame-ancestors 'self' {framers or ''}".rstrip(),
            "Cross-Origin-Resource-Policy": "same-origin",
            "Referrer-Policy": "no-referrer",
            "X-Content-Type-Options": "nosniff",
            "X-Frame-Options": "" if framers else "SAMEORIGIN",
            "Refscope-Relay": self.relay,
            "Content-Disposition": "attachment" if self.relay else "",
            "Connection": "close" if self.close_connection else "",
        }
        for name, value in {**every, **head}.items():
            if value:
                self.send_header(name, re.sub(r"[\r\n]", " ", value))
        self.end_headers()


def exactly(source: Source, first: int, last: int) -> bytes:
    piece = source.read(first, last)
    if len(piece) != last - first + 1:
        raise EOFError
    return piece


def place_below(root: Path, path: str) -> Path:
    """A path as it stands in an address. Links are followed to what lies below the folder."""
    try:
        parts = [unquote(part, errors="strict") for part in path.split("/")]
        if any(part in ("", ".", "..") or re.search(r"[/\\\x00]", part) for part in parts):
            raise FileNotFoundError
        place = root.joinpath(*parts).resolve(strict=True)
        # Names that begin with a dot are for programs' own secrets, but for those of Zarr and NCZarr.
        if any(part[0] == "." and not ZARR.fullmatch(part) for part in (*parts, *place.relative_to(root).parts)):
            raise FileNotFoundError
        return place
    except (OSError, ValueError, RuntimeError):
        raise FileNotFoundError from None
