/** `check`: whether a set is right, in five answers with their evidence. */
import type { CallContext } from "../core/byte-source.ts";
import type { Checked } from "../core/check.ts";
import { QUESTIONS, type Verdict } from "../core/check.ts";
import { explained } from "../core/findings/explain.ts";
import { bySeverity } from "../core/findings/explained.ts";
import { findingOfError } from "../core/findings/failure.ts";
import type { Finding } from "../core/findings/finding.ts";
import { verdictOf } from "../core/verdict-words.ts";
import { checkSet, type CheckRequest } from "../engine/check/check-set.ts";
import type { EngineSet } from "../engine/engine-set.ts";
import type { ChunkDecoder } from "../engine/many/chunk-decoder.ts";
import { checkFinding, type CheckReport } from "./check-json.ts";
import { threadsOption, type CommandOptions } from "./command-options.ts";
import { nodePool } from "./decode-threads.ts";
import { findingLines } from "./finding-lines.ts";
import { aligned, paint, printable, printableJson } from "./lines.ts";
import { openRefs, terminalContext } from "./open-refs.ts";

export interface Report extends CheckReport {
  /** The set could not be opened. */
  readonly isUnopened: boolean;
  readonly found: readonly Finding[];
}

const NOTHING_CHECKED: Checked = {
  rules: [],
  chunks: { of: 0, decoded: 0, failed: 0 },
  targets: { of: 0, asked: 0, answered: 0 },
};

export async function checkCommand(refs: readonly string[], options: CommandOptions): Promise<number> {
  const context = terminalContext();
  const pool = nodePool(threadsOption(options));
  const reports = new Map<string, Report>();
  try {
    for (const one of refs) {
      const report = await checkRefs(one, options, pool, context);
      reports.set(one, report);
      if (!options.json) print(one, report);
    }
  } finally {
    pool.close();
  }
  const all = [...reports.values()];
  if (options.json) {
    const [only] = all;
    const byName = () => Object.fromEntries([...reports].map(([name, report]) => [name, reportJson(report)]));
    console.log(printableJson(refs.length === 1 && only !== undefined ? reportJson(only) : byName()));
  }
  return all.reduce((worst, report) => Math.max(worst, exitOf(report)), 0);
}

const reportJson = ({ verdict, findings, checked }: Report): CheckReport => ({ verdict, findings, checked });

function exitOf({ isUnopened, findings }: Report): number {
  if (isUnopened) return 2;
  return findings.some(({ severity }) => severity === "error") ? 1 : 0;
}

/** Never throws but for an abort: a set that does not open is a report, too. */
export async function checkRefs(
  refs: string,
  options: CommandOptions,
  decoder: ChunkDecoder,
  context: CallContext,
): Promise<Report> {
  try {
    const opened = await openRefs(refs, options, context);
    if (opened.kind === "set") return await checkOpened(opened.set, checkRequest(options, decoder), context);
    const ids = opened.choices.map(({ id }) => id).join(", ");
    throw new Error(`${opened.title}: say which with --choice, one of ${ids}`);
  } catch (error) {
    context.signal.throwIfAborted();
    return unopened(findingOfError(error, `Checking ${refs}`));
  }
}

/** What the options ask for. Throws where they cannot be read. */
function checkRequest({ deep, array }: CommandOptions, decoder: ChunkDecoder): CheckRequest {
  if (deep === undefined) return { decoder };
  if (deep !== "all" && !/^[1-9]\d{0,8}$/.test(deep))
    throw new Error(`--deep expects a number of chunks or “all”, found “${deep}”.`);
  return { decoder, deep: { chunks: deep === "all" ? "all" : Number(deep), array } };
}

async function checkOpened(set: EngineSet, request: CheckRequest, context: CallContext): Promise<Report> {
  const { findings, checked } = await checkSet(set, request, context);
  const verdict = verdictOf({ set, findings: findings.map((found) => ({ found, said: explained(found) })), checked });
  return reportOf(set, findings, verdict, checked);
}

function unopened(why: Finding): Report {
  const verdict = verdictOf({
    set: undefined,
    findings: [{ found: why, said: explained(why) }],
    checked: NOTHING_CHECKED,
  });
  return { ...reportOf(undefined, [why], verdict, NOTHING_CHECKED), isUnopened: true };
}

function reportOf(set: EngineSet | undefined, found: readonly Finding[], verdict: Verdict, checked: Checked): Report {
  const findings = found.map((one) => checkFinding(one, set?.hierarchy)).toSorted(bySeverity);
  return { verdict, findings, checked, found, isUnopened: false };
}

const TITLES = {
  opens: "Does it open?",
  complete: "Is it complete?",
  values: "Are the values right?",
  sources: "Are the sources there, and unchanged?",
  readers: "Can my reader read it?",
} as const;

const TONES = { yes: "heading", no: "error", partly: "warning", "not-checked": "info" } as const;

function print(name: string, { verdict, found }: Report): void {
  console.log(paint("heading", printable(name)));
  const rows = QUESTIONS.map((question) => {
    const { answer, why } = verdict[question];
    return { answer, cells: [TITLES[question], answer.replace("-", " "), why] };
  });
  for (const [at, line] of aligned(rows.map(({ cells }) => cells)).entries())
    console.log(`  ${paint(TONES[rows[at]?.answer ?? "not-checked"], line)}`);
  for (const line of findingLines(found)) console.log(`  ${line}`);
}
