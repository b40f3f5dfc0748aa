/** One measurement in a process of its own: `check-node.ts FILE` opens a set, runs each rule, and prints times as JSON. */
import type { CallContext } from "../src/core/byte-source.ts";
import { openRefs } from "../src/cli/open-refs.ts";
import { checkReferences, runSetRules, SET_RULES } from "../src/engine/check/check-references.ts";
import { memoryOf } from "./memory.ts";

const [path = ""] = process.argv.slice(2);
const context: CallContext = { signal: new AbortController().signal, report: () => undefined };

async function timed<T>(run: () => Promise<T>): Promise<readonly [T, number]> {
  const start = performance.now();
  return [await run(), performance.now() - start];
}

const options = { json: true, chunks: false, offline: true, root: undefined, target: undefined, choice: undefined };
const [opened, open] = await timed(() => openRefs(path, options, context));
if (opened.kind !== "set") throw new Error("Not one set.");
const { set } = opened;
const resident = memoryOf(process.pid).resident;
const [{ findings }, check] = await timed(() => checkReferences(set, context));
const rules: Record<string, number> = {};
for (const rule of SET_RULES) [, rules[rule.id]] = await timed(() => runSetRules(set, context, [rule]));
const peak = memoryOf(process.pid).peak - resident;
const told = findings.map(({ code, count }) => `${code} ${count}`);
console.log(JSON.stringify({ references: set.keys, open, check, rules, peak, told }));
