"""Which hosts get what the user logs in with: the list that the server in Node goes by as well."""

from __future__ import annotations

import json
import re
import tempfile
import unittest
import urllib.error
import urllib.request
from pathlib import Path
from unittest import mock
from urllib.parse import unquote, urljoin

import refscope
from refscope.dataset import dataset_of
from refscope.sources import Options

from .test_attacks import ATTACKS, LOOKED_UP, PAGE, Quiet, started

TOKEN = "Bearer t0ken"
HEADERS = {"headers": {"Authorization": TOKEN}}


class Login:
    """aiohttp.BasicAuth, as fsspec is given it."""

    def encode(self) -> str:
        return TOKEN


#: Each way of giving a token for no host in particular. Plain http is sent none of what is given for all.
LOOSE = [{"http": HEADERS}, {"http": {"client_kwargs": HEADERS}}, {"http": {"client_kwargs": {"auth": Login()}}}]


class Every(Quiet):
    """Each host, by whatever name."""

    seen: list[tuple[str, str, object]] = []
    document = b""

    def do_GET(self) -> None:
        self.seen.append((self.headers["Host"], self.path, self.headers.get("Authorization")))
        if self.path.startswith("/to/"):
            return self.give(302, Location=unquote(self.path[4:]))
        self.give(200, self.document if self.path == "/refs.json" else b"x")


def looked_up(host: str, port: int, *rest: object, **more: object) -> list:
    return LOOKED_UP("127.0.0.1", port, *rest, **more)


@unittest.skipIf(ATTACKS is None, "The list of attacks is not in this checkout.")
class Tokens(unittest.TestCase):
    def setUp(self) -> None:
        Every.seen.clear()
        data, other = started(Every), started(Every)
        for one in (data, other):
            self.addCleanup(one.server_close)
            self.addCleanup(one.shutdown)
        self.words = {"data": str(data.server_port), "other": str(other.server_port)}
        self.own = self.filled(ATTACKS["tokens"]["own"])
        self.targets = ATTACKS["tokens"]["targets"]
        Every.document = json.dumps(self.references(self.targets)).encode()
        for patched in (mock.patch("socket.getaddrinfo", looked_up), mock.patch("refscope.server.files", lambda: PAGE)):
            patched.start()
            self.addCleanup(patched.stop)

    def filled(self, text: str) -> str:
        return re.sub(r"\{(\w+)\}", lambda found: self.words.get(found[1], ""), text)

    def references(self, targets: list[dict]) -> dict:
        return {".zgroup": "{}", **{f"a/{at}": [self.filled(one["target"]), 0, 1] for at, one in enumerate(targets)}}

    def show(self, x: object, targets: list[dict], options: dict) -> None:
        """The page's requests for each target."""
        shown = refscope.show(x, options)
        self.addCleanup(shown.close)
        shown._server.dataset.book.allow_private = True
        with urllib.request.urlopen(shown.url + "session.json", timeout=10) as answer:
            relays = json.load(answer)["relays"]
        for one in targets:
            if "[good" in one["target"]:
                continue
            url = urljoin(self.own, self.filled(one["target"]))
            for relay in relays:
                if not url.lower().startswith(relay["prefix"]):
                    continue
                try:
                    urllib.request.urlopen(shown.url + relay["at"] + url[len(relay["prefix"]) :], timeout=10).close()
                except urllib.error.HTTPError as error:
                    error.close()

    def check(self, targets: list[dict]) -> None:
        for host, path, token in Every.seen:
            if token is not None:
                self.assertEqual(f"http://{host.lower()}/", self.own, path)
        for one in targets:
            with self.subTest(one["name"]):
                if "path" in one:
                    asked = [token for _, path, token in Every.seen if path == self.filled(one["path"])]
                    self.assertTrue(asked)
                    self.assertEqual(set(asked), {TOKEN if one.get("own") else None})

    def test_of_a_dataset_from_elsewhere(self) -> None:
        for options in LOOSE:
            Every.seen.clear()
            self.show(f"{self.own}refs.json", self.targets, options)
            self.check(self.targets)

    def test_of_a_host_that_is_named(self) -> None:
        targets = [one for one in self.targets if not one.get("isRelative")]
        for options in ({self.own: HEADERS}, {self.own.rstrip("/"): HEADERS}, {self.own.replace("good", "GOOD"): HEADERS}):
            Every.seen.clear()
            self.show(self.references(targets), targets, options)
            self.check(targets)

    def test_of_the_only_host_that_references_name(self) -> None:
        targets = [one for one in self.targets if one.get("own") and not one.get("isRelative")]
        self.show(self.references(targets), targets, LOOSE[0])
        self.check(targets)

    def test_nobody_where_references_name_several(self) -> None:
        references = self.references(self.targets)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "refs.json"
            path.write_text(json.dumps(references))
            for x in (references, path):
                for options in LOOSE:
                    with self.assertRaisesRegex(ValueError, r"name \d+ hosts, and storage_options are given for none") as refused:
                        refscope.show(x, options)
                    said = str(refused.exception)
                    for place in (self.own, self.filled("http://evil.example:{data}/"), self.filled("http://good.example.:{data}/")):
                        self.assertIn(f'\n  "{place}": {{…}},', said)
                    self.assertNotIn("t0ken", said)
        self.assertEqual(Every.seen, [])

    def test_over_https_as_well(self) -> None:
        """The same of what is given for all hosts, without asking any."""
        flat = [HEADERS, {"client_kwargs": HEADERS}, {"client_kwargs": {"auth": Login()}}, {"https": HEADERS}]
        secure = lambda text: self.filled(text).replace("http:", "https:")  # noqa: E731
        for options in flat:
            dataset = dataset_of(secure("http://good.example:{data}/refs.json"), Options(options))
            for one in self.targets:
                if "[good" in one["target"]:
                    continue
                address = urljoin(secure(self.own), secure(one["target"]))
                if "@" not in address and "/to/" not in address:
                    found = dataset.options.headers(address)
                    self.assertEqual(found, HEADERS["headers"] if one.get("own") else {}, one["name"])
            with self.assertRaises(ValueError):
                dataset_of({".zgroup": "{}", "a/0": ["https://a.example/x"], "a/1": ["https://b.example/x"]}, Options(options))

    def test_other_schemes_with_hosts(self) -> None:
        """A password for a server is no other server's; keys of buckets are for whoever keeps buckets."""
        given = {"username": "me", "password": "secret"}
        options = dataset_of("ftp://own.example/refs.json", Options(given)).options if _reads("ftp") else Options(given)
        options.home = "ftp://own.example/"
        self.assertEqual(options.of("ftp://own.example/a.nc"), given)
        self.assertEqual(options.of("ftp://evil.example/a.nc"), {})
        self.assertEqual(options.of("s3://bucket/a.nc"), given)

    def test_a_folder_that_is_named(self) -> None:
        options = Options({"https://own.example/mine": HEADERS})
        for path in ("mine/a", "mine"):
            self.assertEqual(options.headers(f"https://OWN.example:443/{path}"), HEADERS["headers"], path)
        for path in ("other", "mine/../other", "mine/%2e%2e/other", "mine/a%2f..%2f..%2fother"):
            self.assertEqual(options.headers(f"https://own.example/{path}"), {}, path)


def _reads(scheme: str) -> bool:
    from refscope.sources import is_readable

    return is_readable(scheme)


if __name__ == "__main__":
    unittest.main()
