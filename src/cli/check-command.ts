/** `check`: whether a set is right, in five answers with their evidence. */
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { type Acceptance, acceptanceFor, parseAcceptances, writeAcceptances } from "../core/check/acceptance.ts";
import { isLookedAt, outgrownOf, unusedFinding, withoutAccepted } from "../core/check/accepted.ts";
import type { CallContext } from "../core/byte-source.ts";
import type { Checked } from "../core/check/check.ts";
import { parseExpectation } from "../core/check/expectation.ts";
import { questionOf } from "../core/findings/explain.ts";
import { explained } from "./print/explained.ts";
import { inWords, type SaidFinding } from "../core/findings/explained.ts";
import { findingOfError, isAbort } from "../core/findings/finding.ts";
import type { AskedReader } from "../core/readers/asked-reader.ts";
import { type Outcome, runWords } from "../core/readers/outcome-words.ts";
import { markdownReport } from "../core/report/markdown.ts";
import { type EffectReport, readerReport, type ReaderReport } from "../core/report/readers.ts";
import { checkFinding, mostFirst, reportOf, weighed } from "../core/report/report.ts";
import type { CheckReport, KnownBeside } from "../core/report/report.ts";
import { lossWords } from "../core/check/loss-words.ts";
import { headlineOf, type JudgedSet, verdictOf } from "../core/check/verdict-words.ts";
import { type CheckRequest, checkSet, type WholeCheck } from "../engine/check/check-set.ts";
import type { NamedExpectation } from "../engine/check/expectation.ts";
import { FEW_CHUNKS, MANY_CHUNKS } from "../engine/check/readers/zarrita-sample.ts";
import { DEFAULT_TARGETS } from "../engine/check/sources/choose-targets.ts";
import { writeExpectation } from "../engine/check/write-expectation.ts";
import { type EngineSet, isDataFile } from "../engine/engine-set.ts";
import type { ChunkDecoder } from "../engine/chunk/chunk-decoder.ts";
import { type ToldPlace, toldPlaces } from "../engine/check/told-places.ts";
import { fixesOfCauses, type SearchedCause } from "../engine/repair/search/fixes-of-causes.ts";
import { type FixedDocument, fixedDocument, handOver, NoFixing, refuseFixOptions } from "./check/fix.ts";
import { lookedAt, remediesOfSet, type RemediesOf } from "./check/remedies.ts";
import { stopOnInterrupt } from "./check/stop.ts";
import { comparedLines, textLines } from "./check/text.ts";
import { nodePool, nodeThread } from "./decode-threads.ts";
import { askedReader } from "./check/asked-packages.ts";
import { writtenAt } from "./directory.ts";
import { printUnopened } from "./print/finding-lines.ts";
import { jsonByName } from "./print/finding-json.ts";
import { aligned, paint, printable, printableLines, type Tone } from "./print/lines.ts";
import { ChoiceNeeded, openSet, terminalContext } from "./open-refs.ts";
import { type CheckFormat, type CommandOptions, type FailOn, originOf } from "./options.ts";
import { NotWritten, writeOut } from "./write-out.ts";

// Result of checking one set on the command line.

export interface Report extends CheckReport {
  readonly headline: string;
  /** Which arrays lose how much; empty where none does. */
  readonly loss: string;
  /** The set could not be opened. */
  readonly isUnopened: boolean;
  /** Acceptances that applied. */
  readonly acceptances: readonly Acceptance[];
  /** Those that were asked about. */
  readonly readers: readonly ReaderReport[];
  /** The document with what is safe to fix. */
  readonly fixed?: FixedDocument;
}

// Lines of `check --reader`: one for each reader, then every effect with its evidence.

const OUTCOME_TONES: Readonly<Record<Outcome, keyof typeof SIGNS>> = {
  reads: "good",
  loss: "warning",
  wrong: "error",
  fails: "warning",
  refuses: "error",
  unknown: "info",
};

function readerLines(readers: readonly ReaderReport[]): readonly string[] {
  const heads = aligned(
    readers.map(({ name, outcome, verdict, basis, version, date, asked }) => [
      `${SIGNS[OUTCOME_TONES[outcome]]} ${name}`,
      verdict,
      basis,
      asked ?? `${version}, ${date}`,
    ]),
  );
  const lines = readers.flatMap((one, at) => [
    `  ${paint(OUTCOME_TONES[one.outcome], heads[at] ?? "")}`,
    ...(one.effects.length === 0 ? [`      ${printable(one.why)}`] : one.effects.flatMap(effectLines)),
    ...(one.effects.length === 0 || one.run === undefined ? [] : [`     ${printable(runWords(one.name, one.run))}`]),
  ]);
  return ["", paint("heading", "  Readers"), ...lines];
}

function effectLines({ effect, title, message, advice, evidence }: EffectReport): readonly string[] {
  const head = effect === "reads" ? message : `${title}: ${message}`;
  return [
    `      ${printable(head)}`,
    ...(advice === undefined || effect === "reads" ? [] : [paint("info", printable(`        ${advice}`))]),
    paint("info", printable(`        Evidence: ${evidence.join("; ")}.`)),
  ];
}

type Named = readonly [name: string, report: Report];
/** Which of several datasets is meant was not said. */
type Unchosen = readonly [name: string, choices: ChoiceNeeded["opened"]];

type Print = (
  reports: readonly Named[],
  unchosen: readonly Unchosen[],
  options: CommandOptions,
) => string | Promise<string>;

const PRINTED: Readonly<Record<CheckFormat, Print>> = {
  text: (reports, _, { explainCompared = false }) =>
    reports
      .flatMap(([name, report]) =>
        textLines(name, report, [
          ...(explainCompared ? comparedLines(report.checked.compared) : []),
          ...(report.readers.length === 0 ? [] : readerLines(report.readers)),
        ]),
      )
      .join("\n"),
  json: (reports, unchosen) =>
    jsonByName(new Map([...reports.map(([name, report]) => [name, contract(report)] as const), ...unchosen])),
  sarif: async (reports) => (await import("./check/formats.ts")).sarifText(reports),
  github: async (reports) => (await import("./check/formats.ts")).githubText(reports),
  markdown: (reports) =>
    reports
      .map(([name, report]) => markdownReport(name, report.headline, report))
      .map(printableLines)
      .join("\n"),
};

/** JSON of a report; acceptances and readers stand beside the findings, if there are any. */
function contract({ verdict, findings, checked, accepted, readers }: Report): object {
  return {
    verdict,
    findings,
    checked,
    ...(readers.length === 0 ? {} : { readers }),
    ...(accepted === undefined ? {} : { accepted }),
  };
}

const SIGNS = { good: "✓", error: "✕", warning: "◐", info: "○" } as const satisfies Partial<Record<Tone, string>>;

const NOTHING_CHECKED: Checked = {
  rules: [],
  chunks: { of: 0, decoded: 0, failed: 0 },
  targets: { of: 0, asked: 0, answered: 0 },
};

export async function checkCommand(refs: readonly string[], options: CommandOptions): Promise<number> {
  const { format = options.json === true ? "json" : "text", failOn = "error" } = options;
  if (failOn === "differ") throw new Error("check takes --fail-on error, warning or new; differ is for compare.");
  refuseFixOptions(refs, options);
  if (options.run === true) (await import("./check/run-icechunk.ts")).requireIcechunk(refs, options.reader);
  if (options.writeExpect !== undefined && refs.length > 1) throw new Error("--write-expect takes one dataset.");
  const stop = stopOnInterrupt();
  const given = { ...(await givenFiles(options)), stop: stop.signal };
  const context = terminalContext();
  const pool = nodePool(options.threads);
  const reports: Named[] = [];
  const unchosen: Unchosen[] = [];
  try {
    for (const one of refs) {
      if (stop.signal.aborted) break;
      const report = await checkRefs(one, options, pool, context, given).catch((error: unknown) => {
        // Before it was open.
        if (stop.signal.aborted && isAbort(error)) return;
        if (!(error instanceof ChoiceNeeded)) throw error;
        printUnopened(one, error.message);
        unchosen.push([one, error.opened]);
      });
      if (report !== undefined) reports.push([one, report]);
    }
  } finally {
    stop.forget();
    pool.close();
  }
  await writeAccepted(reports, options);
  for (const [name, { fixed }] of reports) if (fixed !== undefined) await handOver(name, fixed, options);
  const text = options.diff === true ? "" : await PRINTED[format](reports, unchosen, options);
  if (text !== "") console.log(text);
  for (const [form, path] of options.report ?? [])
    await writeOut(path, `${await PRINTED[form](reports, unchosen, options)}\n`, options);
  if (stop.signal.aborted) {
    console.error(reports.length < refs.length ? STOPPED_EARLY : STOPPED);
    return INTERRUPTED;
  }
  return reports.reduce((worst, [, report]) => Math.max(worst, exitOf(report, failOn)), unchosen.length > 0 ? 2 : 0);
}

/** Exit code that shells give a command ended by Ctrl-C. */
const INTERRUPTED = 130;
const STOPPED = "Stopped: this is what was found until then. Exit code 130.";
const STOPPED_EARLY = "Stopped before all datasets were checked: this is what was found until then. Exit code 130.";

/** The user's expectations and acceptances. */
interface Given {
  readonly expectation: NamedExpectation | undefined;
  readonly acceptances: readonly Acceptance[];
  /** True if fixes are looked for, too. */
  readonly fixes: boolean;
  /** The reader that is asked about. */
  readonly reader?: AskedReader | undefined;
  /** Signal at which the check stops and reports the findings so far. */
  readonly stop?: AbortSignal;
}

const NOTHING_GIVEN: Given = { expectation: undefined, acceptances: [], fixes: false };

async function givenFiles({ expect, accept, reader }: CommandOptions): Promise<Omit<Given, "stop">> {
  const read = async (path: string): Promise<NamedExpectation> => {
    return { name: basename(path), expectation: parseExpectation(await readFile(path, "utf8")) };
  };
  return {
    expectation: expect === undefined ? undefined : await read(expect),
    acceptances: accept === undefined ? [] : parseAcceptances(await readFile(accept, "utf8")),
    fixes: true,
    reader: reader === undefined ? undefined : await askedReader(reader),
  };
}

function exitOf({ isUnopened, findings }: Report, failOn: FailOn): number {
  if (isUnopened) return 2;
  const fails = { error: ["error"], warning: ["error", "warning"], new: ["error", "warning", "info"] }[failOn];
  return findings.some(({ severity, code }) => fails.includes(severity) && code !== "acceptance-unused") ? 1 : 0;
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
    const { stop } = given;
    const signal = stop === undefined ? context.signal : AbortSignal.any([context.signal, stop]);
    const set = await openSet(refs, options, { ...context, signal });
    const request = { ...(await checkRequest(refs, options, decoder, given)), stop };
    const checked = await withRun(await checkSet(set, request, context), refs, set, options, context);
    if (options.writeExpect !== undefined)
      await writeOut(options.writeExpect, await writeExpectation(set, decoder, context), options);
    const { findings, reports } = checked;
    const remedies = await remediesOfSet({ set, findings, reports, origin: originOf(options) }, context);
    const said = findings.map((one) => inWords(one, explained));
    const isFixing = options.fix === true || options.diff === true;
    const isDeep = options.deep !== undefined;
    const mayAsk = isDeep || options.network === true || isLocal(set);
    const isStopped = stop?.aborted === true;
    const search = { isDeep: isDeep || isFixing, ...(isFixing && { most: MAX_FIXED }) };
    const searched =
      given.fixes && mayAsk && !isStopped ? await fixesOfCauses(set, said, search, context) : NOTHING_SEARCHED;
    const places = await toldPlaces({ set, decoder, mayAsk: isDeep && !isStopped }, inOrder(set, said), context);
    const fixed = isFixing ? fixedDocument(set, said, searched) : undefined;
    const report = reportFor(set, { ...checked, said, remedies, searched, places }, given.acceptances);
    return fixed === undefined ? report : { ...report, fixed };
  } catch (error) {
    context.signal.throwIfAborted();
    if ([ChoiceNeeded, NoFixing, NotWritten].some((kind) => error instanceof kind)) throw error;
    given.stop?.throwIfAborted();
    const why = findingOfError(error, `Checking ${refs}`);
    const nothing = { checked: NOTHING_CHECKED, remedies: () => [], searched: NOTHING_SEARCHED, places: new Map() };
    return reportFor(undefined, { ...nothing, said: [inWords(why, explained)] }, []);
  }
}

async function withRun(
  checked: WholeCheck,
  refs: string,
  set: EngineSet,
  { run = false }: CommandOptions,
  context: CallContext,
): Promise<WholeCheck> {
  if (!run) return checked;
  const { withIcechunkRun } = await import("./check/run-icechunk.ts");
  return { ...checked, readers: await withIcechunkRun(checked.readers ?? [], refs, set, context) };
}

/** Reads the options into a request. Throws if they are invalid. */
async function checkRequest(
  refs: string,
  options: CommandOptions,
  decoder: ChunkDecoder,
  { expectation, reader }: Given,
): Promise<CheckRequest> {
  const limit = options.limitTargets ?? DEFAULT_TARGETS;
  const origin = originOf(options);
  // Files are looked at in any case: that needs no request.
  const asked = options.network === true ? { written: await writtenAt(refs) } : { isHere: true as const };
  const sources = { limit, origin, ...asked };
  const deep = deepOption(options);
  return { decoder, expectation, sources, deep, atHand: true, reader: readerRequest(reader, deep) };
}

/** Chunks that zarrita reads, too: a few, and with `--deep` as many as that, up to a limit. */
function readerRequest(asked: AskedReader | undefined, deep: CheckRequest["deep"]): CheckRequest["reader"] {
  if (asked === undefined) return undefined;
  const most = deep?.chunks ?? FEW_CHUNKS;
  const chunks = typeof most === "number" ? Math.min(most, MANY_CHUNKS) : MANY_CHUNKS;
  return { reader: asked.reader, asked, sample: { chunks, openZarrita: () => nodeThread("zarrita-thread") } };
}

function deepOption({ deep, array }: CommandOptions): CheckRequest["deep"] {
  if (deep === undefined) return undefined;
  return { chunks: deep, array };
}

/** Looking into its targets makes no request. */
const isLocal = (set: EngineSet): boolean =>
  lookedAt(set).every((target) => set.targets.resolve(target).kind !== "url");

interface Found extends Pick<WholeCheck, "checked" | "readers"> {
  readonly said: readonly SaidFinding[];
  readonly remedies: RemediesOf;
  readonly searched: ReadonlyMap<SaidFinding, SearchedCause>;
  readonly places: ReadonlyMap<SaidFinding, ToldPlace>;
}

const NOTHING_SEARCHED: ReadonlyMap<SaidFinding, SearchedCause> = new Map();

/** Causes for which a fix is looked for where all are to be fixed. */
const MAX_FIXED = 200;

/** Those first that are told first. */
const inOrder = (set: EngineSet, said: readonly SaidFinding[]): readonly SaidFinding[] => {
  const nodes = new Map(set.nodes.map((node) => [node.path, node]));
  const weigh = (one: SaidFinding) =>
    weighed(
      one,
      (array) => nodes.get(array)?.keys,
      (array) => nodes.get(array),
    );
  return said
    .map((one) => ({ one, ...weigh(one) }))
    .toSorted(mostFirst)
    .map(({ one }) => one);
};

function reportFor(
  set: EngineSet | undefined,
  { said: causes, checked, readers, remedies, searched, places }: Found,
  acceptances: readonly Acceptance[],
): Report {
  const nodes = new Map(set?.nodes.map((node) => [node.path, node]));
  const keysOf = (array: string) => nodes.get(array)?.keys;
  const sizesOf = (array: string) => nodes.get(array);
  const { rest, accepted, outgrown, unmet } = withoutAccepted(causes, acceptances, (one) => checkFinding(one, keysOf));
  const unused = unmet.filter(({ code }) => isLookedAt(code, questionOf(code), checked));
  const found = [...rest, ...unused.map((each) => inWords(unusedFinding(each), explained))];
  const codes = accepted.map(({ acceptance: { code } }) => code);
  const ofSet = set === undefined ? undefined : judgedSet(set);
  const aside = accepted.map(({ one }) => one);
  const judged = { set: ofSet, findings: found, checked, readers, accepted: codes, aside };
  const told = accepted.map(({ found: one, acceptance: { reason, date } }) => ({ ...one, reason, date }));
  const beside = (one: SaidFinding): KnownBeside => {
    const [pasted, known] = [remedies(one), outgrown.get(one)];
    const { fix, tried } = searched.get(one) ?? {};
    return {
      ...places.get(one),
      ...(fix !== undefined && { fix }),
      ...(tried !== undefined && { tried }),
      ...(pasted.length === 0 ? {} : { remedies: pasted }),
      ...(known === undefined ? {} : { outgrown: outgrownOf(known) }),
    };
  };
  return {
    ...reportOf({ verdict: verdictOf(judged), checked, accepted: told }, found, keysOf, { beside, sizesOf }),
    headline: headlineOf(judged),
    loss: lossWords(found, sizesOf),
    isUnopened: set === undefined,
    acceptances: accepted.map(({ acceptance }) => acceptance),
    readers: (readers ?? []).map(readerReport),
  };
}

async function writeAccepted(reports: readonly Named[], options: CommandOptions): Promise<void> {
  const { writeAccept } = options;
  if (writeAccept === undefined) return;
  const date = new Date().toISOString().slice(0, 10);
  const known = reports.flatMap(([, { acceptances }]) => acceptances);
  const found = reports.flatMap(([, { findings }]) => findings.filter(({ code }) => code !== "acceptance-unused"));
  await writeOut(writeAccept, writeAcceptances([...known, ...found.map((one) => acceptanceFor(one, date))]), options);
}

const judgedSet = (set: EngineSet): JudgedSet => ({
  format: set.format.label,
  isFile: isDataFile(set) ? true : undefined,
  references: set.keys,
  states: set.tally.states,
  cells: set.tally.cells,
});
