/** `check`: whether a set is right, in five answers with their evidence. */
import { readFile, writeFile } from "node:fs/promises";
import { ACCEPTANCE_KIND, acceptanceFor, accepts, parseAcceptances, type Acceptance } from "../core/acceptance.ts";
import type { CallContext } from "../core/byte-source.ts";
import type { Checked } from "../core/check.ts";
import { parseExpectation, type Expectation } from "../core/expectation.ts";
import { explained } from "../core/findings/explain.ts";
import type { SaidFinding } from "../core/findings/explained.ts";
import { findingOfError } from "../core/findings/failure.ts";
import { finding, type Finding } from "../core/findings/finding.ts";
import { oneCauseEach } from "../core/findings/one-cause.ts";
import { WHOLE_SET } from "../core/findings/place.ts";
import { checkFinding, reportOf, type CheckFinding } from "../core/report/report.ts";
import { headlineOf, lossWords, verdictOf, type JudgedSet } from "../core/verdict-words.ts";
import { checkSet, type CheckRequest } from "../engine/check/check-set.ts";
import { DEFAULT_TARGETS } from "../engine/check/sources/sources-request.ts";
import { expectationOf } from "../engine/check/expectation.ts";
import type { EngineSet } from "../engine/engine-set.ts";
import type { ChunkDecoder } from "../engine/many/chunk-decoder.ts";
import { printReports } from "./check-formats.ts";
import type { AcceptedFinding, Report } from "./check-outcome.ts";
import {
  failOnOption,
  formatOption,
  originOption,
  targetsOption,
  threadsOption,
  type CommandOptions,
  type FailOn,
  readerOption,
} from "./command-options.ts";
import { nodePool } from "./decode-threads.ts";
import { nodeZarrita } from "./node-zarrita.ts";
import { openRefs, terminalContext } from "./open-refs.ts";
import { writtenAt } from "./directory.ts";

const NOTHING_CHECKED: Checked = {
  rules: [],
  chunks: { of: 0, decoded: 0, failed: 0 },
  targets: { of: 0, asked: 0, answered: 0 },
};

export async function checkCommand(refs: readonly string[], options: CommandOptions): Promise<number> {
  const format = formatOption(options);
  const failOn = failOnOption(options);
  readerOption(options); // What cannot be read is said before a set is opened.
  const given = await givenFiles(options);
  const context = terminalContext();
  const pool = nodePool(threadsOption(options));
  const reports: (readonly [name: string, report: Report])[] = [];
  try {
    for (const one of refs) reports.push([one, await checkRefs(one, options, pool, context, given)]);
  } finally {
    pool.close();
  }
  await writeAcceptances(reports, options);
  printReports(reports, format);
  return reports.reduce((worst, [, report]) => Math.max(worst, exitOf(report, failOn)), 0);
}

/** What the owner of the sets wrote down of them. */
interface Given {
  readonly expectation: Expectation | undefined;
  readonly acceptances: readonly Acceptance[];
}

const NOTHING_GIVEN: Given = { expectation: undefined, acceptances: [] };

async function givenFiles({ expect, accept }: CommandOptions): Promise<Given> {
  return {
    expectation: expect === undefined ? undefined : parseExpectation(await readFile(expect, "utf8")),
    acceptances: accept === undefined ? [] : parseAcceptances(await readFile(accept, "utf8")),
  };
}

function exitOf({ isUnopened, findings }: Report, failOn: FailOn): number {
  if (isUnopened) return 2;
  const fails = { error: ["error"], warning: ["error", "warning"], new: ["error", "warning", "info"] }[failOn];
  return findings.some(({ severity, code }) => fails.includes(severity) && code !== "acceptance-unused") ? 1 : 0;
}

/** Never throws but for an abort: a set that does not open is a report, too. */
export async function checkRefs(
  refs: string,
  options: CommandOptions,
  decoder: ChunkDecoder,
  context: CallContext,
  given: Given = NOTHING_GIVEN,
): Promise<Report> {
  try {
    const opened = await openRefs(refs, options, context);
    if (opened.kind === "choose") {
      const ids = opened.choices.map(({ id }) => id).join(", ");
      throw new Error(`${opened.title}: say which with --choice, one of ${ids}`);
    }
    const { set } = opened;
    const { findings, checked } = await checkSet(set, await checkRequest(refs, options, decoder, given), context);
    if (options.writeExpect !== undefined)
      await writeFile(options.writeExpect, await expectationOf(set, decoder, context));
    return reportFor(set, findings, checked, given.acceptances);
  } catch (error) {
    context.signal.throwIfAborted();
    const why = findingOfError(error, `Checking ${refs}`);
    return reportFor(undefined, [why], NOTHING_CHECKED, []);
  }
}

/** What the options ask for. Throws where they cannot be read. */
async function checkRequest(
  refs: string,
  options: CommandOptions,
  decoder: ChunkDecoder,
  { expectation }: Given,
): Promise<CheckRequest> {
  const limit = targetsOption(options) ?? DEFAULT_TARGETS;
  const origin = originOption(options);
  const sources = options.network === true ? { limit, origin, written: await writtenAt(refs) } : undefined;
  const deep = deepOption(options);
  return { decoder, expectation, sources, deep, reader: readerRequest(options, deep) };
}

/** Chunks that zarrita reads, too: a few, and with `--deep` as many as that, up to a limit. */
const [FEW_CHUNKS, MOST_CHUNKS] = [8, 100];

function readerRequest(options: CommandOptions, deep: CheckRequest["deep"]): CheckRequest["reader"] {
  const reader = readerOption(options);
  if (reader === undefined) return undefined;
  const asked = deep?.chunks ?? FEW_CHUNKS;
  const sample = asked === "all" ? MOST_CHUNKS : Math.min(asked, MOST_CHUNKS);
  return { reader, sample, openZarrita: nodeZarrita };
}

function deepOption({ deep, array }: CommandOptions): CheckRequest["deep"] {
  if (deep === undefined) return undefined;
  if (deep !== "all" && !/^[1-9]\d{0,8}$/.test(deep))
    throw new Error(`--deep expects a number of chunks or “all”, found “${deep}”.`);
  return { chunks: deep === "all" ? "all" : Number(deep), array };
}

function reportFor(
  set: EngineSet | undefined,
  all: readonly Finding[],
  checked: Checked,
  acceptances: readonly Acceptance[],
): Report {
  const nodes = new Map(set?.nodes.map((node) => [node.path, node]));
  const keysOf = (array: string) => nodes.get(array)?.keys;
  const causes = oneCauseEach(all.map(inWords));
  const { found, accepted } = withoutAccepted(causes, acceptances, (one) => checkFinding(one, keysOf));
  const known = accepted.map(({ found: { code } }) => code);
  const judged = { set: set === undefined ? undefined : judgedSet(set), findings: found, checked, accepted: known };
  return {
    ...reportOf({ verdict: verdictOf(judged), checked }, found, keysOf),
    headline: headlineOf(judged),
    loss: lossWords(found, (array) => nodes.get(array)?.cells),
    isUnopened: set === undefined,
    accepted,
  };
}

const inWords = (found: Finding): SaidFinding => ({ found, said: explained(found) });

/** Acceptances that nothing needed are findings. */
function withoutAccepted(
  all: readonly SaidFinding[],
  acceptances: readonly Acceptance[],
  inReport: (found: SaidFinding) => CheckFinding,
): { readonly found: readonly SaidFinding[]; readonly accepted: readonly AcceptedFinding[] } {
  const accepted: AcceptedFinding[] = [];
  const rest = all.filter((one) => {
    const found = inReport(one);
    const acceptance = acceptances.find((each) => accepts(each, found));
    if (acceptance !== undefined) accepted.push({ acceptance, found });
    return acceptance === undefined;
  });
  const unused = acceptances.filter((each) => !accepted.some(({ acceptance }) => acceptance === each));
  const told = unused.map(({ code, array, target, reason, date }) => {
    const where = array ?? target;
    const what = where === undefined ? code : `${code} of ${where === "" ? "/" : where}`;
    return inWords(finding("acceptance-unused", WHOLE_SET, { accepted: what, reason, date }));
  });
  return { found: [...rest, ...told], accepted };
}

async function writeAcceptances(
  reports: readonly (readonly [name: string, report: Report])[],
  { writeAccept }: CommandOptions,
): Promise<void> {
  if (writeAccept === undefined) return;
  const date = new Date().toISOString().slice(0, 10);
  const known = reports.flatMap(([, { accepted }]) => accepted.map(({ acceptance }) => acceptance));
  const found = reports.flatMap(([, { findings }]) => findings.filter(({ code }) => code !== "acceptance-unused"));
  const all = [...known, ...found.map((one) => acceptanceFor(one, date))];
  await writeFile(writeAccept, `${JSON.stringify({ refscope: ACCEPTANCE_KIND, accepted: all }, undefined, 2)}\n`);
}

const judgedSet = ({ format, keys, tally: { states, cells } }: EngineSet): JudgedSet => ({
  format: format.label,
  references: keys,
  states,
  cells,
});
