/**
 * `npm run bench [-- --refs 100000,1000000 --layouts file,shuffled --subjects js,wasm,parse --in node,chromium --rounds 3
 * --compressed --render 200000 --typing --parquet 5000000 --decode --decoders --icechunk --slice --page-table --page-slice --page-open --check --forecast]`: opens synthetic reference sets in several ways and prints times, net peak memory and ratios. Subjects
 * take turns within a round, each in a fresh process, and ratios are medians over rounds, so that a busy machine harms
 * all alike.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, statSync } from "node:fs";
import { countOf, LAYOUTS, writeSet, type Layout } from "./generate.ts";
import { openChromium, type Measured } from "./scan-chromium.ts";
import { benchRendering } from "./render.ts";
import { benchTyping } from "./typing.ts";
import { SUBJECTS, type Subject } from "./subjects.ts";

const DATA = new URL("data/", import.meta.url).pathname;
const WORKER = new URL("scan-node.ts", import.meta.url).pathname;
/** JSON.parse takes no longer text (V8: 2^29 - 24 characters). */
const LONGEST_TEXT = 2 ** 29 - 24;

type Place = "node" | "chromium";
type Measure = (subject: Subject, path: string) => Promise<Measured>;

interface Wanted {
  readonly refs: readonly number[];
  readonly layouts: readonly Layout[];
  readonly subjects: readonly Subject[];
  readonly places: readonly Place[];
  readonly rounds: number;
  readonly compressed: boolean;
  /** Entries of gen to render; 0 = none. */
  readonly render: number;
  /** Nothing else then: see `typing.ts`. */
  readonly typing: boolean;
  /** References of a Parquet set; nothing else then: see `parquet.ts`. 0 = no. */
  readonly parquet: number;
  /** Nothing else then: see `decode.ts`. */
  readonly decode: boolean;
  /** Nothing else then: see `icechunk.ts`. */
  readonly icechunk: boolean;
  /** Nothing else then: see `slice.ts`. */
  readonly slice: boolean;
}

function wantedFrom(words: readonly string[]): Wanted {
  const value = (name: string, otherwise: string): string[] => {
    const at = words.indexOf(`--${name}`);
    return (at < 0 ? otherwise : (words[at + 1] ?? otherwise)).split(",");
  };
  return {
    refs: value("refs", "100000,1000000").map(Number),
    layouts: value("layouts", "file").filter((one): one is Layout => (LAYOUTS as readonly string[]).includes(one)),
    subjects: value("subjects", SUBJECTS.join()).filter((one): one is Subject =>
      (SUBJECTS as readonly string[]).includes(one),
    ),
    places: value("in", "node,chromium").filter((one): one is Place => one === "node" || one === "chromium"),
    rounds: Number(value("rounds", "3")[0]),
    compressed: words.includes("--compressed"),
    render: Number(value("render", "200000")[0]),
    typing: words.includes("--typing"),
    parquet: words.includes("--parquet") ? Number(value("parquet", "5000000")[0]) || 5_000_000 : 0,
    decode: words.includes("--decode"),
    icechunk: words.includes("--icechunk"),
    slice: words.includes("--slice"),
  };
}

async function document(references: number, layout: Layout): Promise<string> {
  mkdirSync(DATA, { recursive: true });
  const path = `${DATA}${layout}-${references}.json`;
  if (!existsSync(path)) await writeSet(path, references, layout);
  return path;
}

/** The same document as .gz and .zst, by the machine's own tools; those that it has not are left out. */
function compressedForms(path: string): readonly string[] {
  const tools = [
    [`${path}.gz`, `gzip -6 -k -f ${JSON.stringify(path)}`],
    [`${path}.zst`, `zstd -3 -q -k -f ${JSON.stringify(path)}`],
  ] as const;
  return tools.flatMap(([form, command]) => {
    try {
      if (!existsSync(form)) execFileSync("sh", ["-c", command], { stdio: "ignore" });
      return [form];
    } catch {
      console.log(`(${form} is left out: its tool is missing)`);
      return [];
    }
  });
}

const inNode: Measure = (subject, path) => {
  const output = execFileSync(process.execPath, ["--import", "tsx", "--expose-gc", WORKER, subject, path], {
    encoding: "utf8",
    maxBuffer: 1 << 20,
  });
  return Promise.resolve(JSON.parse(output) as Measured);
};

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

type Results = Map<string, Measured[]>;

async function rounds(measure: Measure, tasks: readonly Task[], count: number): Promise<Results> {
  const results: Results = new Map(tasks.map(({ name }) => [name, []]));
  for (let round = 0; round < count; round += 1) {
    for (const { name, subject, path } of tasks) results.get(name)?.push(await measure(subject, path));
  }
  return results;
}

interface Task {
  readonly name: string;
  readonly subject: Subject;
  readonly path: string;
}

function tasksFor(wanted: Wanted, path: string): readonly Task[] {
  const fits = statSync(path).size < LONGEST_TEXT;
  const plain = wanted.subjects
    .filter((subject) => fits || (subject !== "parse" && subject !== "zarrita"))
    .map((subject) => ({ name: subject, subject, path }));
  if (!wanted.compressed) return plain;
  const scanners = wanted.subjects.filter((subject) => subject === "js" || subject === "wasm");
  const forms = compressedForms(path).flatMap((form) =>
    scanners.map((subject) => ({ name: `${subject} .${form.split(".").pop() ?? ""}`, subject, path: form })),
  );
  return [...plain, ...forms];
}

/** The ratio to the subject in the same round, then the median. */
function ratio(results: Results, of: string, to: string, what: "milliseconds" | "netPeak"): string {
  const [a, b] = [results.get(of), results.get(to)];
  if (a === undefined || b === undefined || of === to) return "";
  return median(a.map((one, index) => one[what] / (b[index]?.[what] ?? NaN))).toFixed(2);
}

function print(results: Results): void {
  const header = ["", "ms", "net peak MB", "B/ref at rest", "time: × js", "× wasm", "× read", "memory: × js", "× wasm"];
  const rows = [...results].map(([name, measured]) => {
    const [one] = measured;
    const rest = one?.bytesAtRest === undefined ? "" : (one.bytesAtRest / one.references).toFixed(1);
    return [
      name,
      median(measured.map((each) => each.milliseconds)).toFixed(0),
      (median(measured.map((each) => each.netPeak)) / 1e6).toFixed(1),
      rest,
      ratio(results, name, "js", "milliseconds"),
      ratio(results, name, "wasm", "milliseconds"),
      ratio(results, name, "read", "milliseconds"),
      ratio(results, name, "js", "netPeak"),
      ratio(results, name, "wasm", "netPeak"),
    ];
  });
  const widths = header.map((_, column) => Math.max(...[header, ...rows].map((row) => (row[column] ?? "").length)));
  for (const row of [header, ...rows]) console.log(row.map((cell, i) => cell.padStart(widths[i] ?? 0)).join("  "));
}

async function main(): Promise<void> {
  const words = process.argv.slice(2);
  const wanted = wantedFrom(words);
  if (wanted.typing) return benchTyping();
  if (process.argv.includes("--decoders")) {
    return (await import("./decoders.ts")).benchDecoders(process.argv.slice(2), DATA, median);
  }
  if (wanted.decode) return (await import("./decode.ts")).benchDecoding(process.argv.slice(2), DATA, median);
  if (wanted.icechunk) return (await import("./icechunk.ts")).benchIcechunk(wanted.rounds, median);
  if (wanted.slice) return (await import("./slice.ts")).benchSlice(process.argv.slice(2), median);
  if (words.includes("--forecast")) return (await import("./forecast.ts")).benchForecast(DATA);
  if (words.includes("--check")) return (await import("./check.ts")).benchCheck(wanted, document, median);
  if (words.includes("--page-check")) return (await import("./page-check.ts")).benchPageCheck(words, wanted, document);
  if (words.includes("--page-table")) return (await import("./page-table.ts")).benchPageTable(words, DATA, median);
  if (words.includes("--page-open")) return (await import("./page-open.ts")).benchPageOpen(words, median);
  if (words.includes("--page-slice")) return (await import("./page-slice.ts")).benchPageSlice(words, median);
  if (wanted.parquet > 0) {
    const { benchParquet } = await import("./parquet.ts");
    mkdirSync(DATA, { recursive: true });
    return benchParquet(DATA, wanted.parquet, Math.max(15, wanted.rounds), median);
  }
  if (wanted.render > 0) benchRendering(wanted.render, wanted.rounds, median);
  for (const place of wanted.places) {
    const browser = place === "chromium" ? await openChromium() : undefined;
    const measure: Measure = browser === undefined ? inNode : (subject, path) => browser.measure(subject, path);
    for (const references of wanted.refs) {
      for (const layout of wanted.layouts) {
        const path = await document(references, layout);
        const size = (statSync(path).size / 1e6).toFixed(1);
        console.log(`\n${place}, ${countOf(references)} references, ${layout}, ${size} MB, ${wanted.rounds} rounds`);
        print(await rounds(measure, tasksFor(wanted, path), wanted.rounds));
      }
    }
    browser?.close();
  }
}

await main();
