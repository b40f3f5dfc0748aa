/**
 * `npm run bench -- --decode [--rounds 9 --repetitions 5 --in node,chromium --codecs zlib,blosc]`: one 4 MB chunk decoded
 * in one thread, by us, by zarrita, and by numcodecs in Python where REFSCOPE_PYTHON or `python3` has it. All take turns
 * within a round, so that a busy machine harms all alike; printed are medians over rounds, ratios first.
 */
import { CHUNK_BYTES, decodeCases, type DecodeCase } from "./decode-cases.ts";
import { chromiumPlace, nodePlace, pythonPeer, type DecodePlace, type PythonPeer } from "./decode-places.ts";
import type { Timed } from "./decode-subjects.ts";
import { benchThreads } from "./decode-threads.ts";

interface DecodeBench {
  readonly rounds: number;
  readonly repetitions: number;
  readonly places: readonly string[];
  /** Cases whose name has one of these in it; none = all. */
  readonly codecs: readonly string[];
  /** Numbers of threads of pools; nothing else then: see `decode-threads.ts`. */
  readonly threads: readonly number[];
  readonly chunks: number;
}

type Median = (numbers: readonly number[]) => number;
type Who = "refscope" | "zarrita" | "python";
/** For a case: of each round, what each took; `unable` where it cannot. */
type Rounds = Map<Who, (number | undefined)[]>;

function wantedFrom(words: readonly string[]): DecodeBench {
  const value = (name: string, otherwise: string): readonly string[] => {
    const at = words.indexOf(`--${name}`);
    return (at < 0 ? otherwise : (words[at + 1] ?? otherwise)).split(",").filter((one) => one !== "");
  };
  return {
    rounds: Number(value("rounds", "9")[0]),
    repetitions: Number(value("repetitions", "5")[0]),
    places: value("in", "node,chromium"),
    codecs: value("codecs", ""),
    threads: value("threads", "").map(Number),
    chunks: Number(value("chunks", "64")[0]),
  };
}

export async function benchDecoding(words: readonly string[], data: string, median: Median): Promise<void> {
  const bench = wantedFrom(words);
  if (bench.threads.length > 0) {
    const [codec = "zlib + shuffle"] = bench.codecs;
    return benchThreads({ ...bench, codec }, median);
  }
  const all = await decodeCases();
  const { codecs } = bench;
  const cases = all.filter(({ name }) => codecs.length === 0 || codecs.some((part) => name.includes(part)));
  const python = await pythonPeer(cases, `${data}decode`);
  console.log(python?.name ?? "No Python with numcodecs (REFSCOPE_PYTHON, python3): measured against zarrita only.");
  for (const place of bench.places) {
    const where = place === "node" ? nodePlace(cases) : await chromiumPlace(cases);
    console.log(`\n${where.name}; ${CHUNK_BYTES} bytes a chunk, ${bench.rounds} rounds of ${bench.repetitions}`);
    await checkAgreement(where, cases);
    print(cases, await measure(where, python, cases, bench), median);
    await where.close();
  }
  python?.close();
}

async function checkAgreement(where: DecodePlace, cases: readonly DecodeCase[]): Promise<void> {
  for (const [index, { name }] of cases.entries()) {
    if ((await where.agree(index)) === false) console.log(`${name}: zarrita's values are others than ours`);
  }
}

async function measure(
  where: DecodePlace,
  python: PythonPeer | undefined,
  cases: readonly DecodeCase[],
  { rounds, repetitions }: DecodeBench,
): Promise<readonly Rounds[]> {
  const results = cases.map((): Rounds => new Map());
  for (let round = -1; round < rounds; round++) {
    for (const [index, taken] of results.entries()) {
      const times: readonly (readonly [Who, Timed | undefined])[] = [
        ["refscope", await where.time(index, "refscope", repetitions)],
        ["zarrita", await where.time(index, "zarrita", repetitions)],
        ["python", await python?.time(index, repetitions)],
      ];
      // The first round warms up.
      if (round < 0) continue;
      for (const [who, timed] of times) {
        const list = taken.get(who) ?? [];
        list.push(timed !== undefined && "median" in timed ? timed.fastest : undefined);
        taken.set(who, list);
      }
    }
  }
  return results;
}

function print(cases: readonly DecodeCase[], results: readonly Rounds[], median: Median): void {
  const header = ["", "stored / 4 MB", "× numcodecs", "× zarrita", "ms", "zarrita ms", "numcodecs ms"];
  const rows = cases.map(({ name, stored }, index) => {
    const taken: Rounds = results[index] ?? new Map();
    const ours = taken.get("refscope") ?? [];
    const ratioTo = (who: Who) => ratio(ours, taken.get(who) ?? [], median);
    const ms = (who: Who) => text(median(known(taken.get(who) ?? [])), 2);
    return [
      name,
      (stored.length / CHUNK_BYTES).toFixed(2),
      ratioTo("python"),
      ratioTo("zarrita"),
      ms("refscope"),
      ms("zarrita"),
      ms("python"),
    ];
  });
  const widths = header.map((_, column) => Math.max(...[header, ...rows].map((row) => (row[column] ?? "").length)));
  for (const row of [header, ...rows]) console.log(row.map((cell, i) => cell.padStart(widths[i] ?? 0)).join("  "));
}

const known = (times: readonly (number | undefined)[]) => times.filter((one) => one !== undefined);

/** The ratio in each round, then the median. */
function ratio(ours: readonly (number | undefined)[], theirs: readonly (number | undefined)[], median: Median): string {
  const each = ours.map((time, round) => (time ?? NaN) / (theirs[round] ?? NaN)).filter((one) => !Number.isNaN(one));
  return each.length === 0 ? "cannot" : text(median(each), 2);
}

const text = (value: number, digits: number) => (value === 0 ? "" : value.toFixed(digits));
