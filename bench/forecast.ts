/**
 * `npm run bench -- --forecast`: an operational forecast's Icechunk repository with planted faults (`forecast-set.ts`), opened and
 * checked with all its sources in a process of its own: whether exactly what was planted is found, the time and the peak memory.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { FORECAST, writeForecast, type ForecastTruth } from "./forecast-set.ts";

const CHILD = new URL("forecast-node.ts", import.meta.url).pathname;
/**
 * Said rightly beside what was planted: no reference has a checksum, targets are local files, incomplete is missing. References
 * name the files below another folder than `--root`: they are found by the ends of their paths.
 */
const EXPECTED = [
  "icechunk-no-checksum",
  "url-local-path",
  "chunks-missing",
  "positions-incomplete",
  "target-missing",
  "target-matched-by-name",
];

interface Measured {
  readonly references: number;
  readonly times: Readonly<Record<string, number>>;
  readonly peak: number;
  readonly findings: readonly {
    readonly code: string;
    readonly count: number;
    readonly facts: { readonly listed?: readonly (readonly number[])[]; readonly targets?: number };
  }[];
}

export async function benchForecast(data: string): Promise<void> {
  const folder = `${data}forecast`;
  const truthPath = `${folder}/truth.json`;
  if (!existsSync(truthPath)) {
    rmSync(folder, { recursive: true, force: true });
    writeFileSync(truthPath, JSON.stringify(await writeForecast(folder, FORECAST)));
  }
  const truth = JSON.parse(readFileSync(truthPath, "utf8")) as ForecastTruth;
  const words = ["--import", "tsx", CHILD, folder];
  const measured = JSON.parse(
    execFileSync(process.execPath, words, { encoding: "utf8", maxBuffer: 1 << 28 }),
  ) as Measured;
  const { references, times, peak, findings } = measured;
  console.log(`\n${references} references, ${truth.absent.length} files absent`);
  for (const name of ["open", "load", "references", "sources"]) {
    console.log(
      `  ${name} ${((times[name] ?? 0) / 1000).toFixed(1)} s (of a core ${((times[`${name} cpu`] ?? 0) / 1000).toFixed(1)} s)`,
    );
  }
  const total = ["open", "load", "references", "sources"].reduce((sum, name) => sum + (times[name] ?? 0), 0);
  console.log(`  all ${(total / 1000).toFixed(1)} s, peak memory ${(peak / 1e6).toFixed(0)} MB (aims: 60 s, 1,000 MB)`);
  const listed = findings.flatMap(({ code, facts }) => (code === "positions-incomplete" ? (facts.listed ?? []) : []));
  const named = listed.filter((at) => truth.incomplete[at.join(" ")] !== undefined).length;
  const planted = Object.keys(truth.incomplete).length;
  console.log(`  incomplete positions: ${named} of ${planted} named, ${listed.length - named} besides`);
  const missing = findings.filter(({ code }) => code === "target-missing");
  const absent = missing.reduce((sum, { facts }) => sum + (facts.targets ?? 1), 0);
  console.log(`  absent files: ${absent} of ${truth.absent.length}, in ${missing.length} findings`);
  const others = [...new Set(findings.map(({ code }) => code))].filter((code) => !EXPECTED.includes(code));
  console.log(`  besides: ${others.join(", ") || "nothing"}`);
}
