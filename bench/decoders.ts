/**
 * `npm run bench -- --decoders [--rounds 9 --repetitions 5 --in node,chromium]`: a field of 1024 by 1024 values, as GRIB in
 * each packing, decoded by us and by the libraries in C that readers in Python call (`decoders.c`, compiled here with
 * gcc; Debian: libeccodes-dev, libaec-dev, libopenjp2-7-dev), and one in pcodec, whose library is in Rust
 * (`decoders.py`, where REFSCOPE_PYTHON or `python3` has imagecodecs). All take turns within a round; medians over rounds.
 */
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import type { DecodeCase } from "./decode-cases.ts";
import { chromiumPlace, nodePlace, type DecodePlace } from "./decode-places.ts";

type Median = (numbers: readonly number[]) => number;

interface Packed {
  readonly name: string;
  readonly peers: readonly string[];
}

const PACKED: readonly Packed[] = [
  { name: "simple", peers: ["eccodes"] },
  { name: "complex", peers: ["eccodes"] },
  { name: "ccsds", peers: ["eccodes", "libaec"] },
  { name: "jpeg2000", peers: ["eccodes", "openjpeg"] },
  { name: "pcodec", peers: ["pcodec"] },
];

const SIDE = 1024;

interface Peers {
  /** Milliseconds; `undefined` where it cannot. */
  time(name: string, peer: string, repetitions: number): Promise<number | undefined>;
  close(): void;
}

/** Says so where there is no compiler, or not all libraries. */
function madeInC(folder: string): string[] | undefined {
  const program = `${folder}/peers`;
  const source = new URL("decoders.c", import.meta.url).pathname;
  const headers = "/usr/include";
  const openjpeg = existsSync(headers) ? readdirSync(headers).find((name) => name.startsWith("openjpeg-")) : undefined;
  try {
    const include = openjpeg === undefined ? [] : [`-I${headers}/${openjpeg}`];
    execFileSync("gcc", ["-O2", "-o", program, source, ...include, "-leccodes", "-laec", "-lopenjp2", "-lm"], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    execFileSync(program, ["make", folder], { stdio: "ignore" });
    return [program];
  } catch {
    console.log("The peers in C were not made: gcc, eccodes, libaec and OpenJPEG are needed with their headers.");
    return undefined;
  }
}

function madeInPython(folder: string): string[] | undefined {
  const script = new URL("decoders.py", import.meta.url).pathname;
  for (const python of [process.env["REFSCOPE_PYTHON"], "python3"]) {
    if (python === undefined) continue;
    try {
      execFileSync(python, [script, "make", folder], { stdio: "ignore" });
      return [python, script];
    } catch {
      // Another Python may have it.
    }
  }
  console.log("No Python with imagecodecs (REFSCOPE_PYTHON, python3): pcodec is not measured.");
  return undefined;
}

function openPeers([program = "", ...words]: readonly string[], folder: string): Peers {
  const child = spawn(program, [...words, "time", folder], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    time: async (name, peer, repetitions) => {
      child.stdin.write(`${name} ${peer} ${repetitions}\n`);
      const { value, done } = await lines.next();
      if (done === true) throw new Error("The peers ended.");
      return Number(value) < 0 ? undefined : Number(value);
    },
    close: () => child.stdin.end(),
  };
}

function caseOf(folder: string, name: string): DecodeCase {
  const isPcodec = name === "pcodec";
  const metadata = {
    zarr_format: 3,
    node_type: "array",
    shape: [SIDE, SIDE],
    data_type: isPcodec ? "float32" : "float64",
    chunk_grid: { name: "regular", configuration: { chunk_shape: [SIDE, SIDE] } },
    chunk_key_encoding: { name: "default" },
    fill_value: "NaN",
    codecs: [isPcodec ? { name: "pcodec" } : { name: "gribberish", configuration: { var: "TMP" } }],
    attributes: {},
  };
  const stored = new Uint8Array(readFileSync(fileOf(folder, name)));
  return { name, zarrFormat: 3, metadata: JSON.stringify(metadata), stored, python: [] };
}

const fileOf = (folder: string, name: string) => `${folder}/${name}${name === "pcodec" ? ".pco" : ".grib2"}`;

export async function benchDecoders(words: readonly string[], data: string, median: Median): Promise<void> {
  const value = (name: string, otherwise: string) => {
    const at = words.indexOf(`--${name}`);
    return at < 0 ? otherwise : (words[at + 1] ?? otherwise);
  };
  const folder = `${data}decoders`;
  mkdirSync(folder, { recursive: true });
  const [inC, inPython] = [madeInC(folder), madeInPython(folder)];
  const peers = inC === undefined ? undefined : openPeers(inC, folder);
  const python = inPython === undefined ? undefined : openPeers(inPython, folder);
  const cases = PACKED.filter(({ name }) => existsSync(fileOf(folder, name))).map(({ name }) => caseOf(folder, name));
  const [rounds, repetitions] = [Number(value("rounds", "9")), Number(value("repetitions", "5"))];
  for (const place of value("in", "node,chromium").split(",")) {
    const where = place === "node" ? nodePlace(cases) : await chromiumPlace(cases);
    console.log(`\n${where.name}; ${SIDE * SIDE} values, ${rounds} rounds of ${repetitions}`);
    for (const [index, { name, stored }] of cases.entries()) {
      const against = PACKED.find((one) => one.name === name)?.peers ?? [];
      const line = await compare(where, index, {
        name,
        against,
        peers: name === "pcodec" ? python : peers,
        rounds,
        repetitions,
        median,
      });
      console.log(`${name.padEnd(12)} ${(stored.length / 1e6).toFixed(2)} MB  ${line}`);
    }
    await where.close();
  }
  peers?.close();
  python?.close();
}

interface Comparison {
  readonly name: string;
  readonly against: readonly string[];
  readonly peers: Peers | undefined;
  readonly rounds: number;
  readonly repetitions: number;
  readonly median: Median;
}

async function compare(
  where: DecodePlace,
  index: number,
  { name, against, peers, rounds, repetitions, median }: Comparison,
): Promise<string> {
  const ours: number[] = [];
  const theirs = new Map<string, number[]>();
  for (let round = -1; round < rounds; round++) {
    const timed = await where.time(index, "refscope", repetitions);
    if ("unable" in timed) return `cannot: ${timed.unable}`;
    // The first round warms up.
    if (round >= 0) ours.push(timed.fastest);
    for (const peer of against) {
      const time = await peers?.time(name, peer, repetitions);
      if (round >= 0 && time !== undefined) theirs.set(peer, [...(theirs.get(peer) ?? []), time]);
    }
  }
  const ratios = [...theirs].map(([peer, times]) => {
    const each = times.map((time, round) => (ours[round] ?? NaN) / time);
    return `${median(each).toFixed(2)} × ${peer} (${median(times).toFixed(1)} ms)`;
  });
  return [`${median(ours).toFixed(1)} ms`, ...(ratios.length === 0 ? ["no peer"] : ratios)].join(", ");
}
