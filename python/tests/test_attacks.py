"""The list of attacks that the server in Node stands as well: `src/cli/serve/fixtures/attacks.json`."""

from __future__ import annotations

import http.client
import http.server
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path
from unittest import mock
from urllib.parse import unquote

from refscope import cli
from refscope.server import Server

PYTHON = Path(__file__).resolve().parents[1]
LIST = PYTHON.parent / "src" / "cli" / "serve" / "fixtures" / "attacks.json"
ATTACKS = json.loads(LIST.read_text("utf-8")) if LIST.is_file() else None
#: These are not about the page, which need not be built.
PAGE = {"page/index.html": b"the page"}
LOOKED_UP = socket.getaddrinfo


HTML = b"<script>top.x</script>"


class Quiet(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        pass

    def give(self, status: int, body: bytes = b"", **head: str) -> None:
        self.send_response(status)
        for name, value in {**head, "Content-Length": str(len(body)), "Set-Cookie": "who=me"}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)


class Data(Quiet):
    seen: list[str] = []

    def do_GET(self) -> None:
        self.seen.append(f"{self.path}\n{self.headers}")
        to = re.match(r"/to/(.*)$", self.path)
        if to or self.path == "/loop":
            return self.give(302, Location=unquote(to[1]) if to else "/loop")
        if self.path == "/page.html":
            return self.give(200, HTML, **{"Content-Type": "text/html"})
        if self.path != "/data.bin":
            return self.give(404)
        asked = re.match(r"bytes=(\d+)-(\d+)$", self.headers.get("Range", ""))
        self.give(206 if asked else 200, b"0123456789"[slice(int(asked[1]), int(asked[2]) + 1) if asked else slice(None)])


class Other(Quiet):
    seen: list[str] = []

    def do_GET(self) -> None:
        self.seen.append(self.path)
        self.give(200, b"other")


def started(handler: type, **more: object) -> http.server.ThreadingHTTPServer:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    return server


def looked_up(host: str, port: object, *rest: object, **more: object) -> list:
    return LOOKED_UP("10.0.0.7" if host == "private.example" else host, port, *rest, **more)


@unittest.skipIf(ATTACKS is None, "The list of attacks is not in this checkout.")
class Attacks(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        place = Path(cls.folder.name).resolve()
        root = place / "root"
        for folder in (root, place / "outside"):
            folder.mkdir()
        (root / "inside.txt").write_text("inside")
        (root / ".git").mkdir()
        for hidden in (".env", ".zshrc", ".git/config"):
            (root / hidden).write_text("secret")
        (root / "seen.txt").symlink_to(".env")
        (root / "page.html").write_bytes(HTML)
        (root / ".zgroup").write_text("{}")
        for secret in (place / "secret.txt", place / "outside" / "secret.txt"):
            secret.write_text("secret")
        (root / "out.txt").symlink_to("../secret.txt")
        (root / "outside").symlink_to("../outside")
        data, other = started(Data), started(Other)
        cls.words = {"data": str(data.server_port), "other": str(other.server_port)}
        refs = {".zgroup": "{}", **{f"a/{at}": [cls.filled(target), 0, 1] for at, target in enumerate(ATTACKS["targets"])}}
        (root / "refs.json").write_text(json.dumps(refs))
        for patched in (mock.patch("socket.getaddrinfo", looked_up), mock.patch("refscope.server.files", lambda: PAGE)):
            patched.start()
            cls.addClassCleanup(patched.stop)
        options = cli._parser().parse_args([str(root / "refs.json"), "--relay", f"127.0.0.1:{data.server_port}"])
        dataset = cli._asked(options)
        cls.server = server = Server(dataset)
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        for one in (data, other, server):
            cls.addClassCleanup(one.server_close)
            cls.addClassCleanup(one.shutdown)
        token = server.token
        cls.words.update(token=token, wrong="A" * len(token), part=token[:8], port=str(server.server_port))
        cls.session = json.loads(cls.ask(f"/{token}/session.json")[2])
        at = {relay["prefix"]: relay["at"] for relay in cls.session["relays"]}
        cls.words.update(relay=at[f"http://127.0.0.1:{data.server_port}/"], private=at["https://private.example/"])

    @classmethod
    def filled(cls, text: str) -> str:
        return re.sub(r"\{(\w+)\}", lambda found: cls.words.get(found[1], ""), text)

    @classmethod
    def ask(cls, path: str, method: str = "GET", headers: dict[str, str] | None = None) -> tuple[int, str, bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", int(cls.words["port"]), timeout=10)
        connection.putrequest(method, cls.filled(path), skip_host=bool(headers and "Host" in headers))
        for name, value in (headers or {}).items():
            connection.putheader(name, cls.filled(value))
        connection.endheaders()
        answer = connection.getresponse()
        found = (answer.status, str(answer.headers), answer.read())
        connection.close()
        return found

    def test_each(self) -> None:
        for one in ATTACKS["requests"] + ATTACKS["allowed"]:
            with self.subTest(one["name"]):
                status, headers, body = self.ask(one["path"], one.get("method", "GET"), one.get("headers"))
                self.assertEqual(status, one["status"])
                if "body" in one:
                    self.assertEqual(body.decode(), one["body"])
                if "problem" in one:
                    self.assertEqual(json.loads(body)["problem"], one["problem"])
                self.assertNotIn(b"secret", body)
                for text in (headers, body.decode("latin-1")):
                    self.assertNotIn(self.server.token, text)
                self.assertNotIn("cookie", headers.lower())
                for promised in ("nosniff", "no-referrer", "SAMEORIGIN", "frame-ancestors 'self'"):
                    self.assertIn(promised, headers)
                if status <= 206 and re.search(r"/(files/|\{relay\})", one["path"]):
                    for inert in ("Content-Type: application/octet-stream", "Content-Disposition: attachment", "default-src 'none'; sandbox;"):
                        self.assertIn(inert, headers)
        self.assertEqual(Other.seen, [])
        self.assertTrue(Data.seen)
        for asked in Data.seen:
            self.assertNotRegex(asked, r"(?im)^(?:referer|cookie|origin|authorization):")
            self.assertNotIn(self.server.token, asked)

    def test_offers_no_private_place(self) -> None:
        prefixes = [relay["prefix"] for relay in self.session["relays"]]
        self.assertTrue(prefixes[0].startswith("file:///") and prefixes[0].endswith("/root/"))
        for prefix in ATTACKS["notRelayed"]:
            self.assertNotIn(self.filled(prefix), prefixes)

    def test_no_request(self) -> None:
        with socket.create_connection(("127.0.0.1", self.server.server_port)) as connection:
            connection.sendall(f"GET /{self.server.token}/ and more HTTP/1.1\r\n\r\n".encode())
            answer = connection.makefile().read()
        self.assertTrue(answer.startswith("HTTP/1.1 400"))
        self.assertNotIn(self.server.token, answer)
        self.assertIn("nosniff", answer)

    def test_idle_connections_stop_nobody(self) -> None:
        idle = [socket.create_connection(("127.0.0.1", self.server.server_port)) for _ in range(100)]
        started_at = time.monotonic()
        self.assertEqual(self.ask("/{token}/session.json")[0], 200)
        self.assertLess(time.monotonic() - started_at, 1)
        for one in idle:
            one.close()


#: With Ctrl-C even where this was started without.
OPEN = """
import signal, sys
from refscope import cli, server
signal.signal(signal.SIGINT, signal.default_int_handler)
server.files = lambda: {"page/index.html": b"the page"}
sys.exit(cli.main())
"""


@unittest.skipIf(os.name == "nt", "Ctrl-C is another thing there.")
class Interrupted(unittest.TestCase):
    def test_ends_within_a_second(self) -> None:
        command = [sys.executable, "-c", OPEN, "open", "--no-browser", "--root", str(PYTHON)]
        process = subprocess.Popen(command, cwd=PYTHON, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        base = process.stdout.readline().strip()
        port = int(re.search(r":(\d+)/", base)[1])
        idle = [socket.create_connection(("127.0.0.1", port)) for _ in range(5)]
        started_at = time.monotonic()
        process.send_signal(signal.SIGINT)
        said, errors = process.communicate(timeout=5)
        self.assertLess(time.monotonic() - started_at, 1)
        self.assertEqual((process.returncode, said), (0, ""))
        self.assertRegex(errors, r"\AOpen this address .*\n.*Press Ctrl\+C to stop\.\n\Z")
        for one in idle:
            one.close()
