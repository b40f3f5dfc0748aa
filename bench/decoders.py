"""The peer of bench/decoders.ts for pcodec: its library in Rust, through imagecodecs.

`make FOLDER` writes a field of 1024 by 1024 float32 values; `time FOLDER` answers lines of a name, a peer and a number of
repetitions with the fastest time in milliseconds.
"""

import sys
import time
from pathlib import Path

import imagecodecs
import numpy

folder = Path(sys.argv[2])
side = 1024
if sys.argv[1] == "make":
    y, x = numpy.mgrid[:side, :side]
    noise = numpy.random.default_rng(1).random((side, side)) * 0.5
    values = (280 + 20 * numpy.sin(x / 90) * numpy.cos(y / 70) + noise).astype("float32")
    (folder / "pcodec.pco").write_bytes(imagecodecs.pcodec_encode(values))
    sys.exit()

stored = (folder / "pcodec.pco").read_bytes()
for line in sys.stdin:
    repetitions = int(line.split()[2])
    best = -1
    for _ in range(repetitions):
        start = time.perf_counter()
        imagecodecs.pcodec_decode(stored, (side, side), "float32")
        taken = 1000 * (time.perf_counter() - start)
        best = taken if best < 0 else min(best, taken)
    print(f"{best:.4f}", flush=True)
