"""Decodes the chunks of a folder with numcodecs, on request: the peer in C that bench/decode.ts measures against.

The folder has cases.json (a list of {"name", "file", "codecs"}, codecs in the order of decoding). A line on stdin is the
number of a case and of repetitions; a line on stdout the fastest and the median time in milliseconds, as JSON.
"""

import json
import statistics
import sys
import time
from pathlib import Path

import numcodecs

numcodecs.blosc.use_threads = False
folder = Path(sys.argv[1])
cases = json.loads((folder / "cases.json").read_text())
stored = [(folder / case["file"]).read_bytes() for case in cases]


def codec_of(configuration):
    if configuration["id"] == "crc32c" and "crc32c" not in numcodecs.registry.codec_registry:
        configuration = {**configuration, "id": "crc32c"}
    return numcodecs.get_codec(dict(configuration))


codecs = [[codec_of(one) for one in case["codecs"]] for case in cases]
print(json.dumps({"numcodecs": numcodecs.__version__, "python": sys.version.split()[0]}), flush=True)
for line in sys.stdin:
    index, repetitions = map(int, line.split())
    times = []
    for _ in range(repetitions):
        start = time.perf_counter()
        data = stored[index]
        for codec in codecs[index]:
            data = codec.decode(data)
        times.append(1000 * (time.perf_counter() - start))
    size = memoryview(data).nbytes
    print(json.dumps({"median": statistics.median(times), "fastest": min(times), "bytes": size}), flush=True)
