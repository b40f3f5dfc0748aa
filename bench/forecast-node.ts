/** One measurement in a process of its own: `forecast-node.ts FOLDER` opens a forecast's repository, checks it, and prints JSON. */
import { openRefs } from "../src/cli/open-refs.ts";
import type { CallContext } from "../src/core/byte-source.ts";
import { checkReferences } from "../src/engine/check/check-references.ts";
import { checkSources } from "../src/engine/check/sources/check-sources.ts";
import { loadRest } from "../src/engine/table/load-pages.ts";

const [folder = ""] = process.argv.slice(2);
const context: CallContext = { signal: new AbortController().signal, report: () => undefined };
const options = {
  json: true,
  chunks: false,
  offline: true,
  root: `${folder}/archive`,
  target: undefined,
  choice: undefined,
};

const times: Record<string, number> = {};
async function timed<T>(name: string, run: () => Promise<T>): Promise<T> {
  const [start, cpu] = [performance.now(), process.cpuUsage()];
  const result = await run();
  times[name] = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  times[`${name} cpu`] = (user + system) / 1000;
  times[`${name} rss`] = process.memoryUsage().rss / 1e6;
  return result;
}

const opened = await timed("open", () => openRefs(`${folder}/repository`, options, context));
if (opened.kind !== "set") throw new Error("Not one set.");
const { set } = opened;
await timed("load", () => loadRest(set, "", context));
const references = await timed("references", () => checkReferences(set, context));
const sources =
  process.argv[3] === "references"
    ? { findings: [] }
    : await timed("sources", () => checkSources(set, { limit: Infinity }, context));
const findings = [...references.findings, ...sources.findings];
const peak = process.resourceUsage().maxRSS * 1024;
console.log(
  JSON.stringify({
    references: set.keys,
    bytes: set.table.byteLength,
    targets: set.table.targets.count,
    times,
    peak,
    findings,
  }),
);
