/** `check`: whether a set is right, in five answers with their evidence. */
import { readFile, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { acceptanceFor, parseAcceptances, writeAcceptances, type Acceptance } from "../core/acceptance.ts";
import { isLookedAt, outgrownOf, unusedFinding, withoutAccepted } from "../core/accepted.ts";
import type { CallContext } from "../core/byte-source.ts";
import type { Checked } from "../core/check.ts";
import { parseExpectation } from "../core/expectation.ts";
import { explained, questionOf } from "../core/findings/explain.ts";
import type { SaidFinding } from "../core/findings/explained.ts";
import { findingOfError } from "../core/findings/failure.ts";
import type { Finding } from "../core/findings/finding.ts";
import { oneCauseEach } from "../core/findings/one-cause.ts";
import { checkFinding, reportOf, type KnownBeside } from "../core/report/report.ts";
import { readerReport } from "../core/report/readers.ts";
import { headlineOf, lossWords, verdictOf, type JudgedSet } from "../core/verdict-words.ts";
import { checkSet, type CheckRequest, type WholeCheck } from "../engine/check/check-set.ts";
import { FEW_CHUNKS, MANY_CHUNKS } from "../engine/check/readers/zarrita-sample.ts";
import { DEFAULT_TARGETS } from "../engine/check/sources/sources-request.ts";
import type { NamedExpectation } from "../engine/check/expectation.ts";
import { writeExpectation } from "../engine/check/write-expectation.ts";
import type { OpenedAny } from "../engine/open/driver.ts";
import type { EngineSet } from "../engine/engine-set.ts";
import type { ChunkDecoder } from "../engine/many/chunk-decoder.ts";
import { printReports } from "./check-formats.ts";
import type { Report } from "./check-outcome.ts";
import { remediesOfSet, type RemediesOf } from "./check-remedies.ts";
import { originOf, type CommandOptions, type FailOn } from "./options.ts";
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
  const { format = options.json === true ? "json" : "text", failOn = "error" } = options;
  const given = await givenFiles(options);
  const context = terminalContext();
  const pool = nodePool(options.threads);
  const reports: (readonly [name: string, report: Report])[] = [];
  try {
    for (const one of refs) reports.push([one, await checkRefs(one, options, pool, context, given)]);
  } finally {
    pool.close();
  }
  await writeAccepted(reports, options);
  printReports(reports, format);
  return reports.reduce((worst, [, report]) => Math.max(worst, exitOf(report, failOn)), 0);
}

/** What the owner of the sets wrote down of them. */
interface Given {
  readonly expectation: NamedExpectation | undefined;
  readonly acceptances: readonly Acceptance[];
}

const NOTHING_GIVEN: Given = { expectation: undefined, acceptances: [] };

async function givenFiles({ expect, accept }: CommandOptions): Promise<Given> {
  const read = async (path: string): Promise<NamedExpectation> => {
    return { name: basename(path), expectation: parseExpectation(await readFile(path, "utf8")) };
  };
  return {
    expectation: expect === undefined ? undefined : await read(expect),
    acceptances: accept === undefined ? [] : parseAcceptances(await readFile(accept, "utf8")),
  };
}

function exitOf({ isUnopened, findings }: Report, failOn: FailOn): number {
  if (isUnopened) return 2;
  const fails = { error: ["error"], warning: ["error", "warning"], new: ["error", "warning", "info"] }[failOn];
  return findings.some(({ severity, code }) => fails.includes(severity) && code !== "acceptance-unused") ? 1 : 0;
}

/** A document holds several sets. */
class ChoiceNeeded extends Error {
  constructor({ title, choices }: Extract<OpenedAny, { kind: "choose" }>) {
    super(`${title}. Choose one with --choice: ${choices.map(({ id }) => id).join(", ")}`);
  }
}

/** Throws where it is aborted, or a choice is needed: a set that does not open is a report, too. */
export async function checkRefs(
  refs: string,
  options: CommandOptions,
  decoder: ChunkDecoder,
  context: CallContext,
  given: Given = NOTHING_GIVEN,
): Promise<Report> {
  try {
    const opened = await openRefs(refs, options, context);
    if (opened.kind === "choose") throw new ChoiceNeeded(opened);
    const { set } = opened;
    const checked = await checkSet(set, await checkRequest(refs, options, decoder, given), context);
    if (options.writeExpect !== undefined)
      await writeFile(options.writeExpect, await writeExpectation(set, decoder, context));
    const { findings, reports } = checked;
    const remedies = await remediesOfSet({ set, findings, reports, origin: originOf(options) }, context);
    return reportFor(set, { ...checked, remedies }, given.acceptances);
  } catch (error) {
    context.signal.throwIfAborted();
    if (error instanceof ChoiceNeeded) throw error;
    const why = findingOfError(error, `Checking ${refs}`);
    return reportFor(undefined, { findings: [why], checked: NOTHING_CHECKED, remedies: () => [] }, []);
  }
}

/** What the options ask for. Throws where they cannot be read. */
async function checkRequest(
  refs: string,
  options: CommandOptions,
  decoder: ChunkDecoder,
  { expectation }: Given,
): Promise<CheckRequest> {
  const limit = options.limitTargets ?? DEFAULT_TARGETS;
  const origin = originOf(options);
  // Files are looked at in any case: that needs no request.
  const asked = options.network === true ? { written: await writtenAt(refs) } : { isHere: true as const };
  const sources = { limit, origin, ...asked };
  const deep = deepOption(options);
  return { decoder, expectation, sources, deep, reader: readerRequest(options, deep) };
}

/** Chunks that zarrita reads, too: a few, and with `--deep` as many as that, up to a limit. */
function readerRequest(options: CommandOptions, deep: CheckRequest["deep"]): CheckRequest["reader"] {
  const { reader } = options;
  if (reader === undefined) return undefined;
  const asked = deep?.chunks ?? FEW_CHUNKS;
  const chunks = typeof asked === "number" ? Math.min(asked, MANY_CHUNKS) : MANY_CHUNKS;
  return { reader, sample: { chunks, openZarrita: nodeZarrita } };
}

function deepOption({ deep, array }: CommandOptions): CheckRequest["deep"] {
  if (deep === undefined) return undefined;
  return { chunks: deep, array };
}

function reportFor(
  set: EngineSet | undefined,
  { findings: all, checked, readers, remedies }: Omit<WholeCheck, "reports"> & { readonly remedies: RemediesOf },
  acceptances: readonly Acceptance[],
): Report {
  const nodes = new Map(set?.nodes.map((node) => [node.path, node]));
  const keysOf = (array: string) => nodes.get(array)?.keys;
  const causes = oneCauseEach(all.map(inWords));
  const { rest, accepted, outgrown, unmet } = withoutAccepted(causes, acceptances, (one) => checkFinding(one, keysOf));
  const unused = unmet.filter(({ code }) => isLookedAt(code, questionOf(code), checked));
  const found = [...rest, ...unused.map((each) => inWords(unusedFinding(each)))];
  const codes = accepted.map(({ acceptance: { code } }) => code);
  const ofSet = set === undefined ? undefined : judgedSet(set);
  const aside = accepted.map(({ one }) => one);
  const judged = { set: ofSet, findings: found, checked, readers, accepted: codes, aside };
  const told = accepted.map(({ found: one, acceptance: { reason, date } }) => ({ ...one, reason, date }));
  const beside = (one: SaidFinding): KnownBeside => {
    const [pasted, known] = [remedies(one), outgrown.get(one)];
    return {
      ...(pasted.length === 0 ? {} : { remedies: pasted }),
      ...(known === undefined ? {} : { outgrown: outgrownOf(known) }),
    };
  };
  return {
    ...reportOf({ verdict: verdictOf(judged), checked, accepted: told }, found, keysOf, beside),
    headline: headlineOf(judged),
    loss: lossWords(found, (array) => nodes.get(array)?.cells),
    isUnopened: set === undefined,
    acceptances: accepted.map(({ acceptance }) => acceptance),
    readers: (readers ?? []).map(readerReport),
  };
}

const inWords = (found: Finding): SaidFinding => ({ found, said: explained(found) });

async function writeAccepted(
  reports: readonly (readonly [name: string, report: Report])[],
  { writeAccept }: CommandOptions,
): Promise<void> {
  if (writeAccept === undefined) return;
  const date = new Date().toISOString().slice(0, 10);
  const known = reports.flatMap(([, { acceptances }]) => acceptances);
  const found = reports.flatMap(([, { findings }]) => findings.filter(({ code }) => code !== "acceptance-unused"));
  await writeFile(writeAccept, writeAcceptances([...known, ...found.map((one) => acceptanceFor(one, date))]));
}

const judgedSet = ({ format, keys, tally: { states, cells } }: EngineSet): JudgedSet => ({
  format: format.label,
  references: keys,
  states,
  cells,
});
