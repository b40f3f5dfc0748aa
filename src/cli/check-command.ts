/** `check`: whether a set is right, in five answers with their evidence. */
import type { CallContext } from "../core/byte-source.ts";
import type { Checked } from "../core/check.ts";
import { explained } from "../core/findings/explain.ts";
import { findingOfError } from "../core/findings/failure.ts";
import type { Finding } from "../core/findings/finding.ts";
import { reportOf, type CheckReport } from "../core/report/report.ts";
import { headlineOf, lossWords, verdictOf, type JudgedSet } from "../core/verdict-words.ts";
import { checkSet, type CheckRequest } from "../engine/check/check-set.ts";
import type { EngineSet } from "../engine/engine-set.ts";
import type { ChunkDecoder } from "../engine/many/chunk-decoder.ts";
import { printReports } from "./check-formats.ts";
import { failOnOption, formatOption, threadsOption, type CommandOptions, type FailOn } from "./command-options.ts";
import { nodePool } from "./decode-threads.ts";
import { openRefs, terminalContext } from "./open-refs.ts";

export interface Report extends CheckReport {
  readonly headline: string;
  /** Which arrays lose how much; empty where none does. */
  readonly loss: string;
  /** The set could not be opened. */
  readonly isUnopened: boolean;
}

const NOTHING_CHECKED: Checked = {
  rules: [],
  chunks: { of: 0, decoded: 0, failed: 0 },
  targets: { of: 0, asked: 0, answered: 0 },
};

export async function checkCommand(refs: readonly string[], options: CommandOptions): Promise<number> {
  const format = formatOption(options);
  const failOn = failOnOption(options);
  const context = terminalContext();
  const pool = nodePool(threadsOption(options));
  const reports: (readonly [name: string, report: Report])[] = [];
  try {
    for (const one of refs) reports.push([one, await checkRefs(one, options, pool, context)]);
  } finally {
    pool.close();
  }
  printReports(reports, format);
  return reports.reduce((worst, [, report]) => Math.max(worst, exitOf(report, failOn)), 0);
}

function exitOf({ isUnopened, findings }: Report, failOn: FailOn): number {
  if (isUnopened) return 2;
  const fails = { error: ["error"], warning: ["error", "warning"], new: ["error", "warning", "info"] }[failOn];
  return findings.some(({ severity }) => fails.includes(severity)) ? 1 : 0;
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
function checkRequest(_options: CommandOptions, decoder: ChunkDecoder): CheckRequest {
  return { decoder };
}

async function checkOpened(set: EngineSet, request: CheckRequest, context: CallContext): Promise<Report> {
  const { findings, checked } = await checkSet(set, request, context);
  return report(set, findings, checked);
}

const unopened = (why: Finding): Report => report(undefined, [why], NOTHING_CHECKED);

function report(set: EngineSet | undefined, found: readonly Finding[], checked: Checked): Report {
  const said = found.map((one) => ({ found: one, said: explained(one) }));
  const judged = { set: set === undefined ? undefined : judgedSet(set), findings: said, checked };
  const nodes = new Map(set?.nodes.map((node) => [node.path, node]));
  const verdict = verdictOf(judged);
  return {
    ...reportOf({ verdict, checked }, found, explained, (array) => nodes.get(array)?.keys),
    headline: headlineOf(judged),
    loss: lossWords(said, (array) => nodes.get(array)?.cells),
    isUnopened: set === undefined,
  };
}

const judgedSet = ({ format, keys, tally: { states, cells } }: EngineSet): JudgedSet => ({
  format: format.label,
  references: keys,
  states,
  cells,
});
