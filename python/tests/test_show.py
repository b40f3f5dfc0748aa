"""`show`: what the kernel gives of what it is given, and what it gives of nothing else."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import sys
import threading
import types
import unittest
import urllib.error
import urllib.request
from http.client import IncompleteRead
from pathlib import Path
from unittest import mock

import refscope
from refscope.addresses import is_private_host
from refscope.book import Book
from refscope.cli import main
from refscope.references import targets_of, written
from refscope.sources import Options

from .test_attacks import PAGE, Quiet, started

GROUP = {".zgroup": '{"zarr_format": 2}'}
HAS_FSSPEC = importlib.util.find_spec("fsspec") is not None


class Shows(unittest.TestCase):
    def setUp(self) -> None:
        patched = mock.patch("refscope.server.files", lambda: PAGE)
        patched.start()
        self.addCleanup(patched.stop)

    def shown(self, x: object, **more: object) -> refscope.Shown:
        shown = refscope.show(x, **more)
        self.addCleanup(shown.close)
        self.session = json.loads(self.get(shown.url + "session.json")[1])
        return shown

    def get(self, url: str, **headers: str) -> tuple[int, bytes]:
        try:
            with urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=10) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read()

    def relayed(self, shown: refscope.Shown, address: str, **headers: str) -> tuple[int, bytes]:
        """As the page asks for an address."""
        fits = [one for one in self.session["relays"] if address.startswith(one["prefix"])]
        self.assertTrue(fits, address)
        best = max(fits, key=lambda one: len(one["prefix"]))
        return self.get(shown.url + best["at"] + address[len(best["prefix"]) :], **headers)


class TestDict(Shows):
    def test_targets_of_http_without_cors(self) -> None:
        server = started(Bytes)
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        at = f"http://127.0.0.1:{server.server_port}/"
        shown = self.shown({**GROUP, "a/0": [f"{at}a b.nc", 0, 4]})
        self.assertEqual(self.session["open"], "refs://dict/references.json")
        document = json.loads(self.relayed(shown, self.session["open"])[1])
        self.assertEqual(document["a/0"], [f"{at}a b.nc", 0, 4])
        self.assertEqual(self.relayed(shown, f"{at}a%20b.nc", Range="bytes=2-4"), (206, b"234"))
        self.assertEqual(self.relayed(shown, f"{at}other.nc")[0], 403)
        self.assertIn("frame-ancestors 'self' http://localhost:* http://127.0.0.1:*", str(self.head(shown.url)))
        self.assertNotIn(shown.url, repr(shown))
        self.assertIn(f'src="{shown.url}"', shown._repr_html_())

    def head(self, url: str) -> object:
        with urllib.request.urlopen(urllib.request.Request(url, method="HEAD"), timeout=10) as answer:
            return answer.headers

    def test_what_is_cut_short_is_not_whole(self) -> None:
        server = started(Bytes)
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        at = f"http://127.0.0.1:{server.server_port}/"
        shown = self.shown({**GROUP, "a/0": [f"{at}cut", 0, 4], "a/1": [f"{at}pieces", 0, 4], "a/2": [f"{at}pieces-cut", 0, 4]})
        self.assertEqual(self.relayed(shown, f"{at}pieces"), (200, b"0123456789"))
        for name in ("cut", "pieces-cut"):
            with self.assertRaises(IncompleteRead, msg=name):
                self.relayed(shown, at + name)

    def test_logs_in_to_the_first_host_alone(self) -> None:
        last, first = started(Bytes), started(Bytes)
        for one in (last, first):
            self.addCleanup(one.server_close)
            self.addCleanup(one.shutdown)
        to = f"http://127.0.0.1:{last.server_port}/signed.nc"
        at = f"http://localhost:{first.server_port}/to?{to}"
        headers = {f"http://localhost:{first.server_port}": {"client_kwargs": {"headers": {"Authorization": "Bearer secret"}}}}
        shown = self.shown({**GROUP, "a/0": [at, 0, 4], "a/1": [to, 0, 4]}, storage_options=headers)
        Bytes.seen.clear()
        self.assertEqual(self.relayed(shown, at, Range="bytes=0-3"), (206, b"0123"))
        self.assertEqual(Bytes.seen, [("/to?" + to, "Bearer secret"), ("/signed.nc", None)])

    @unittest.skipUnless(HAS_FSSPEC, "fsspec is not installed.")
    def test_memory_by_fsspec(self) -> None:
        import fsspec

        fsspec.filesystem("memory").pipe_file("/bucket/a.nc", b"0123456789")
        shown = self.shown({"version": 1, "refs": {**GROUP, "a/0": ["memory://bucket/a.nc", 0, 4]}})
        self.assertEqual(self.relayed(shown, "memory://bucket/a.nc", Range="bytes=2-4"), (206, b"234"))
        self.assertEqual(self.relayed(shown, "memory://bucket/a.nc", Range=f"bytes={10**15}-{10**15}")[0], 416)
        self.assertEqual(self.relayed(shown, "memory://bucket/b.nc")[0], 403)

    def test_offers_nothing_that_it_cannot_read(self) -> None:
        self.shown({**GROUP, "a/0": ["nothing://bucket/a.nc", 0, 4]})
        self.assertEqual([one["prefix"] for one in self.session["relays"]], ["refs://dict/"])

    def test_a_virtual_dataset(self) -> None:
        asked = []
        to_kerchunk = lambda format: asked.append(format) or {"version": 1, "refs": GROUP}  # noqa: E731
        self.shown(types.SimpleNamespace(vz=types.SimpleNamespace(to_kerchunk=to_kerchunk)))
        self.assertEqual(asked, ["dict"])

    def test_refuses_what_it_does_not_know(self) -> None:
        for value in (3, {"a": 1}, None):
            with self.assertRaises(TypeError):
                refscope.show(value)

    def test_a_proxy_of_jupyterhub(self) -> None:
        with mock.patch.dict("os.environ", JUPYTERHUB_SERVICE_PREFIX="/user/me/"), mock.patch(
            "refscope.notebook.find_spec", lambda name: name
        ):
            shown = self.shown(GROUP)
        self.assertRegex(shown._repr_html_(), r'src="/user/me/proxy/\d+/[\w-]{32}/"')
        asked = {"Host": "hub.example", "Origin": "https://hub.example"}
        self.assertEqual(self.get(shown.url + "session.json", **asked)[0], 200)
        self.assertEqual(self.get(shown.url + "session.json", **{**asked, "Origin": "https://evil.example"})[0], 403)


class TestAddress(Shows):
    def test_what_comes_from_elsewhere_names_nothing_here(self) -> None:
        book = Book("https://data.example/dir/refs.json", trusted=False)
        for target in ("/etc/passwd", "file:///etc/passwd", "memory://a/b", "ftp://10.0.0.1/a", "http://10.0.0.1/a", "../a b.nc"):
            book.add(target)
        self.assertEqual([one["prefix"] for one in book.relays()], ["https://data.example/"])
        self.assertEqual(book.find("0", "a%20b.nc"), "https://data.example/a b.nc")
        self.assertFalse(book.trusts("http://10.0.0.1/a"))

    def test_a_folder_by_its_keys_alone(self) -> None:
        book = Book("https://data.example/refs.json", trusted=False)
        book.add_below("https://data.example/store.zarr")
        self.assertEqual(book.find("0", "store.zarr/a/0"), "https://data.example/store.zarr/a/0")
        for rest in ("store.zarr/../x", "store.zarr/%2e%2e/x", "store.zarr/a%2f..%2f..%2fx", "other", "store.zarrs/a"):
            self.assertIsNone(book.find("0", rest), rest)


class TestPath(Shows):
    def test_a_file_and_what_it_names(self) -> None:
        sample = Path(__file__).resolve().parents[2] / "public" / "samples" / "ocean.v1.json"
        shown = self.shown(sample)
        self.assertTrue(self.session["open"].startswith("file:///"))
        folder = self.session["open"].rpartition("/")[0]
        self.assertEqual(self.relayed(shown, f"{folder}/ocean-a.nc", Range="bytes=0-3"), (206, b"\x89HDF"))
        self.assertEqual(self.relayed(shown, f"{folder}/nothing.nc")[0], 404)


class Bytes(Quiet):
    seen: list[tuple[str, object]] = []

    def do_GET(self) -> None:
        self.seen.append((self.path, self.headers.get("Authorization")))
        if self.path.startswith("/to?"):
            return self.give(302, Location=self.path[4:])
        if "pieces" in self.path or self.path == "/cut":
            self.send_response(200)
            self.send_header(*(("Content-Length", "10") if self.path == "/cut" else ("Transfer-Encoding", "chunked")))
            self.end_headers()
            self.wfile.write(b"01234" if self.path == "/cut" else b"5\r\n01234\r\n5\r\n56789\r\n")
            self.wfile.write(b"0\r\n\r\n" if self.path == "/pieces" else b"")
            self.close_connection = True
            return None
        first, last = (int(one) for one in self.headers.get("Range", "bytes=0-9")[6:].split("-"))
        self.give(206 if "Range" in self.headers else 200, b"0123456789"[first : last + 1])


class FakeStore:
    """Zarr-Python's interface, as Icechunk's store has it."""

    keys = {"zarr.json": b'{"node_type": "group"}', "sst/zarr.json": b'{"node_type": "array"}', "sst/c/0": b"0123456789"}

    async def exists(self, key: str) -> bool:
        return key in self.keys

    async def getsize(self, key: str) -> int:
        return len(self.keys[key])

    async def get(self, key: str, prototype: object, byte_range: object = None) -> object:
        part = self.keys[key][byte_range.start : byte_range.end]
        return types.SimpleNamespace(to_bytes=lambda: part)

    async def list_dir(self, prefix: str):  # noqa: ANN201
        at = f"{prefix}/" if prefix else ""
        for name in {key[len(at) :].split("/")[0] for key in self.keys if key.startswith(at)}:
            yield name


class TestStore(Shows):
    def test_by_key(self) -> None:
        part = lambda start, end: types.SimpleNamespace(start=start, end=end)  # noqa: E731
        zarr = {
            "zarr": types.ModuleType("zarr"),
            "zarr.abc": types.ModuleType("zarr.abc"),
            "zarr.core": types.ModuleType("zarr.core"),
            "zarr.abc.store": types.SimpleNamespace(RangeByteRequest=part),
            "zarr.core.sync": types.SimpleNamespace(sync=asyncio.run),
            "zarr.core.buffer": types.SimpleNamespace(default_buffer_prototype=lambda: None),
        }
        with mock.patch.dict(sys.modules, zarr):
            shown = self.shown(types.SimpleNamespace(store=FakeStore()))
            address = self.session["open"]
            self.assertEqual(self.relayed(shown, f"{address}sst/c/0", Range="bytes=2-4"), (206, b"234"))
            self.assertEqual(self.relayed(shown, f"{address}zarr.json")[1], FakeStore.keys["zarr.json"])
            self.assertEqual(self.relayed(shown, f"{address}sst/c/1")[0], 404)
            index = self.relayed(shown, address)[1].decode()
            self.assertIn("<title>Index of", index)
            self.assertRegex(index, r'href="sst/".*[\s\S]*href="zarr.json"')


class TestWords(unittest.TestCase):
    def test_targets(self) -> None:
        refs = {"a": ["{{u}}x.nc", 0, 1], "b": ["zip://m.nc::s3://k/z.zip"], "c": ["data:,x"], "d": "inline", "e": [None, 0, 1]}
        gen = [{"key": "k{{i}}", "url": "{{u}}y{{'%02d' % i}}.nc", "dimensions": {"i": [1]}}]
        document = {"version": 1, "templates": {"u": "s3://b/dir/", "f": "gs://c/{{x}}.nc"}, "gen": gen, "refs": refs}
        self.assertEqual(
            list(targets_of(document)), [("s3://b/dir/x.nc", False), ("s3://k/z.zip", False), ("s3://b/dir/", True)]
        )
        called = {"version": 1, "templates": {"f": "gs://c/d/{{x}}.nc"}, "refs": {"a": ["{{f(x=1)}}", 0, 1]}}
        self.assertEqual(list(targets_of(called)), [("gs://c/d/", True)])

    def test_bytes(self) -> None:
        made = json.loads(written({"a/.zarray": b"{}", "a/0": b"\xff\x00", "a/1": ["x", 0, 1]}))
        self.assertEqual(made, {"a/.zarray": "{}", "a/0": "base64:/wA=", "a/1": ["x", 0, 1]})

    def test_private(self) -> None:
        private = "localhost 127.0.0.1 10.1.2.3 169.254.169.254 ::1 ::ffff:10.0.0.1 fd00::1 2002:a00:1::1 64:ff9b::a00:1 100.64.0.1"
        private += " 0x7f.1 2130706433 127.1 nas printer.local a.internal fe80::1%eth0 224.0.0.1 64:ff9b:1::1 x.127 0.0.0.0"
        for host in private.split():
            self.assertTrue(is_private_host(host), host)
        for host in "data.example 93.184.216.34 2606:4700::1111 ::ffff:8.8.8.8 local.example".split():
            self.assertFalse(is_private_host(host), host)

    def test_options(self) -> None:
        options = Options({"anon": True, "s3": {"key": "k"}, "s3://other/": {"key": "o"}})
        self.assertEqual(options.of("s3://b/a"), {"key": "k"})
        self.assertEqual(options.of("s3://other/a"), {"key": "o"})
        self.assertEqual(options.of("gs://b/a"), {"anon": True})
        host = Options({"https://host": {"headers": {"A": "b"}}})
        self.assertEqual(host.headers("https://host/a"), {"A": "b"})
        self.assertEqual(host.headers("https://host.evil.example/a"), {})
        flat = Options({"headers": {"Authorization": "Bearer t"}})
        self.assertEqual(flat.headers("https://h/a"), {})
        flat.settle(["https://h/"])
        self.assertEqual(flat.headers("https://h/a"), {"Authorization": "Bearer t"})
        self.assertEqual(flat.headers("http://h/a"), {})

    def test_other_commands_need_node(self) -> None:
        with mock.patch("sys.argv", ["refscope", "check", "x"]), mock.patch("sys.stderr") as errors:
            self.assertEqual(main(), 2)
        self.assertIn("need Node", "".join(call.args[0] for call in errors.write.call_args_list))


if __name__ == "__main__":
    unittest.main()
