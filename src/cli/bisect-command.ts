/** `bisect`: since which commit something is wrong. */
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import type { BisectResult, BisectState, BisectTest } from "../core/bisect.ts";
import { parseExpectation } from "../core/check/expectation.ts";
import { codesBySubject } from "../core/findings/code-list.ts";
import { counted, cut } from "../core/words.ts";
import { outcomeWords, planWords } from "../core/words/bisect-words.ts";
import { meantName } from "../core/words/near-name.ts";
import { bisect, planBisect } from "../engine/check/bisect/bisect.ts";
import { repositoryOf } from "../engine/engine-set.ts";
import { nodePool } from "./decode-threads.ts";
import { openSet, terminalContext } from "./open-refs.ts";
import type { CommandOptions } from "./options.ts";
import { findingLine } from "./print/finding-lines.ts";
import { printableJson } from "./print/finding-json.ts";
import { aligned, printable } from "./print/lines.ts";

export async function bisectCommand(refs: readonly string[], options: CommandOptions): Promise<number> {
  const [address = ""] = refs;
  const test = await testOf(options);
  const context = terminalContext();
  const set = await openSet(address, { ...options, ref: options.bad }, context);
  const { good } = options;
  const older = good === undefined ? undefined : await repositoryOf(set).at(good, context);
  const asked = { test, good: older && repositoryOf(older).summary.shown.snapshot };
  const pool = nodePool(options.threads);
  try {
    const plan = await planBisect(set, asked, pool, context);
    console.error(planWords(plan));
    const result = await bisect(set, { ...asked, reads: plan.reads }, pool, context);
    if (options.json) console.log(printableJson(jsonOf(result)));
    else for (const line of linesOf(result)) console.log(line);
    return result.outcome === "found" || result.outcome === "since-first" ? 0 : 1;
  } finally {
    pool.close();
  }
}

/** One of three. */
async function testOf({ code, expect, select, is, array, chunk }: CommandOptions): Promise<BisectTest> {
  const path = array?.replace(/^\//, "");
  if ([code, expect, is].filter((one) => one !== undefined).length !== 1)
    throw new Error("bisect needs one of --code CODE, --expect FILE, or --select SELECTION with --is CONDITION.");
  if (is !== undefined) {
    if (path === undefined) throw new Error("--is needs --array PATH.");
    return { kind: "value", array: path, select: select ?? "", is };
  }
  if (expect !== undefined)
    return {
      kind: "expectation",
      name: basename(expect),
      expectation: parseExpectation(await readFile(expect, "utf8")),
    };
  const known = codesBySubject().flatMap(({ codes }) => codes.map((one) => one.code));
  if (code === undefined || !known.includes(code))
    throw new Error(`Unknown code “${code}”.${meantName(code ?? "", known)}`);
  if (chunk !== undefined && path === undefined) throw new Error("--chunk needs --array PATH.");
  return { kind: "finding", code, array: path, chunk };
}

function jsonOf({ outcome, first, before, checks, commits, unread, untried }: BisectResult) {
  const ids = { first: first?.commit.id ?? null, before: before?.commit.id ?? null };
  return { ...ids, checks, commits, outcome, states: { first, before }, unread, untried };
}

function linesOf(result: BisectResult): readonly string[] {
  const { outcome, first, before, checks, commits } = result;
  const sides = [
    ...(first === undefined ? [] : [["first bad", first] as const]),
    ...(before === undefined ? [] : [[outcome === "found" ? "before" : "newest", before] as const]),
  ];
  return [
    outcomeWords(result),
    ...aligned(
      sides.map(([name, { commit }]) => [
        `  ${name}`,
        commit.id,
        commit.time?.slice(0, 19).replace("T", " ") ?? "?",
        `${commit.author === undefined ? "" : `${commit.author}: `}${cut(commit.message)}`,
      ]),
    ),
    ...sides.map(([name, state]) => printable(`  ${name}: ${stateText(state)}`)),
    `  ${counted(checks, "check")} of ${counted(commits, "commit")}`,
  ];
}

function stateText({ finding, values, isAbsent, isBad }: BisectState): string {
  if (finding !== undefined) return findingLine(finding);
  if (values !== undefined) return `values ${values.join(", ")}`;
  return isAbsent ? "not there" : isBad ? "wrong" : "nothing wrong";
}
