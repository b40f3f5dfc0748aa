"""`show`: a dataset's page in a notebook, for which the kernel reads what no page can."""

from __future__ import annotations

import html
import os
import re
import threading
from importlib.util import find_spec
from typing import Any, Mapping

from .dataset import dataset_of
from .server import LOOPBACK, Server
from .sources import Options


class Shown:
    """What `show` gives: a notebook draws it. `url` opens in a browser of this computer; `close()` ends its server."""

    def __init__(self, server: Server, height: int, prefix: str) -> None:
        self._server, self._height = server, height
        self.url = server.base
        self._src = f"{prefix}proxy/{server.server_port}/{server.token}/" if prefix else server.base
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.2}, daemon=True).start()

    def _repr_html_(self) -> str:
        source = html.escape(self._src, quote=True)
        return f'<iframe src="{source}" width="100%" height="{self._height}" style="border:0" allow="clipboard-write; fullscreen"></iframe>'

    def __repr__(self) -> str:
        # Without the token: outputs are saved with notebooks.
        return f"<refscope on port {self._server.server_port}>"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def show(
    x: Any, storage_options: Mapping[str, Any] | None = None, height: int = 640, *, framed_by: str | None = None
) -> Shown:
    """Shows a dataset: where each chunk lies, what is in it, whether the references are right.

    x: a path or an address of references or of a Zarr store; a dict of references (Kerchunk, Version 0 or 1); a virtual
    dataset of VirtualiZarr; a store of Zarr-Python, such as an Icechunk session's (or the session itself).

    storage_options: what fsspec takes for the targets, credentials too: for all of them, by scheme (`{"s3": {…}}`), or by
    the beginning of their addresses (`{"https://host/": {…}}`). What is given for no host in particular goes to the
    dataset's own, or to the only one that a file or dict names (ValueError where it names several); keys of buckets go to
    any. The page never sees it. The kernel reads what the references name, and nothing else: http(s) and files by itself,
    everything else by fsspec or obstore, where they are installed.

    height: of the frame, in CSS pixels. At 640 and more a picture, its time and its series fit.

    Where it works: Jupyter and the browser on the same computer, or by an SSH tunnel of the port in `.url`. On JupyterHub
    if jupyter-server-proxy is installed beside the server. A notebook of another origin may show the page if it is named:
    `framed_by="https://hub.example"`. Where a notebook shows no other pages (VS Code, Colab), open `.url` in a browser on
    the kernel's computer.
    """
    if not re.fullmatch(r"(?:https?://[\w.:\[\]-]+)?", framed_by or ""):
        raise ValueError("framed_by is an origin, such as https://hub.example.")
    prefix = os.environ.get("JUPYTERHUB_SERVICE_PREFIX", "") if find_spec("jupyter_server_proxy") else ""
    try:
        dataset = dataset_of(x, Options(storage_options))
    except FileNotFoundError as error:
        # Without the frames below, which say nothing of the path.
        raise FileNotFoundError(f"No such file or folder: {error.filename or x}") from None
    return Shown(Server(dataset, framers=f"{LOOPBACK} {framed_by or ''}".strip(), behind=prefix != ""), height, prefix)
