/** `check`: whether a set is right, in five answers with their evidence. */
import { readFile, writeFile } from "node:fs/promises";
import { basename, isAbsolute, relative } from "node:path";
import { type Acceptance, acceptanceFor, parseAcceptances, writeAcceptances } from "../core/check/acceptance.ts";
import { isLookedAt, outgrownOf, unusedFinding, withoutAccepted } from "../core/check/accepted.ts";
import type { AccessFacts } from "../core/access/access-recipe.ts";
import { isRefused, remediesFor } from "../core/access/finding-remedies.ts";
import type { Remedy } from "../core/access/server-remedies.ts";
import type { CallContext } from "../core/byte-source.ts";
import type { Checked } from "../core/check/check.ts";
import { parseExpectation } from "../core/check/expectation.ts";
import { together } from "../core/findings/alike.ts";
import { entryOf } from "../core/findings/catalogue/index.ts";
import { explained, questionOf } from "../core/findings/explain.ts";
import { inWords, type SaidFinding } from "../core/findings/explained.ts";
import { findingOfError } from "../core/findings/failure.ts";
import type { Finding } from "../core/findings/finding.ts";
import { addressOf } from "../core/location.ts";
import { QUESTIONS } from "../core/check/question.ts";
import type { AskedReader } from "../core/readers/asked-reader.ts";
import { type Outcome, runWords } from "../core/readers/outcome-words.ts";
import { githubLines } from "../core/report/github.ts";
import { markdownReport } from "../core/report/markdown.ts";
import { outgrownWords } from "../core/report/outgrown-words.ts";
import { type EffectReport, readerReport, type ReaderReport } from "../core/report/readers.ts";
import {
  type CauseFix,
  checkFinding,
  type CheckFinding,
  type CheckReport,
  type KnownBeside,
  likenessInReport,
  oftenWords,
  reportOf,
} from "../core/report/report.ts";
import { sarifReport } from "../core/report/sarif.ts";
import type { TargetReport } from "../core/check/target-probe.ts";
import {
  ANSWER_WORDS,
  headlineOf,
  type JudgedSet,
  lossWords,
  QUESTION_WORDS,
  verdictOf,
} from "../core/check/verdict-words.ts";
import { VERSION } from "../core/version.ts";
import { count, counted } from "../core/words.ts";
import { type CheckRequest, checkSet, type WholeCheck } from "../engine/check/check-set.ts";
import type { NamedExpectation } from "../engine/check/expectation.ts";
import { FEW_CHUNKS, MANY_CHUNKS } from "../engine/check/readers/zarrita-sample.ts";
import { accessFacts } from "../engine/check/sources/access-facts.ts";
import { DEFAULT_TARGETS } from "../engine/check/sources/sources-request.ts";
import { writeExpectation } from "../engine/check/write-expectation.ts";
import type { EngineSet } from "../engine/engine-set.ts";
import type { ChunkDecoder } from "../engine/many/chunk-decoder.ts";
import { fixesOfCauses } from "../engine/repair/search/fixes-of-causes.ts";
import { nodePool, nodeThread } from "./decode-threads.ts";
import { askedReader } from "./asked-packages.ts";
import { writtenAt } from "./directory.ts";
import { printUnopened } from "./finding-lines.ts";
import { aligned, jsonByName, paint, printable, printableJson, printableLines, type Tone, visible } from "./lines.ts";
import { ChoiceNeeded, openSet, terminalContext } from "./open-refs.ts";
import { type CheckFormat, type CommandOptions, type FailOn, originOf } from "./options.ts";

// What the page offers beside a cause, for a terminal: what to configure, to try by hand, and to write in Python.

/** What is known of the targets of a set. */
interface Asked {
  readonly set: EngineSet;
  readonly findings: readonly Finding[];
  readonly reports: readonly TargetReport[];
  readonly origin: string;
}

type RemediesOf = (one: SaidFinding) => readonly Remedy[];

async function remediesOfSet(asked: Asked, context: CallContext): Promise<RemediesOf> {
  const { reports, origin } = asked;
  const addresses = new Map(reports.map(({ target, probe }) => [target, probe?.url]));
  const access = await knownAccess(asked, context);
  const options = { asked: Math.max(1, reports.length), addressOf: (target: string) => addresses.get(target) };
  return ({ found }) => remediesFor(found, origin, access, options);
}

/** Where a target refuses; where none does, nothing shows which access it wants. */
async function knownAccess({ set, findings, reports }: Asked, context: CallContext): Promise<AccessFacts | undefined> {
  const refused = findings.filter(isRefused);
  if (refused.length === 0) return undefined;
  try {
    return await accessFacts(set, reports.length > 0 ? reports : refusedTargets(set, refused), context);
  } catch {
    // The log of a repository, which names its containers, may be what cannot be read: that is a finding of its own.
    context.signal.throwIfAborted();
    return undefined;
  }
}

/** Targets that are looked at; those of a set nearly always share a place. */
const MAX_LOOKED_AT = 10_000;

const lookedAt = ({ table }: EngineSet): readonly string[] =>
  Array.from({ length: Math.min(table.targets.count, MAX_LOOKED_AT) }, (_, id) => table.targets.text(id));

/** No target was asked, but chunks were read: their answers, at the targets as references name them. */
function refusedTargets(set: EngineSet, refused: readonly Finding[]): readonly SeenTarget[] {
  const statuses = new Map<string, number>();
  for (const { facts, place, places = [place] } of refused) {
    for (const one of places) if (one.kind === "target") statuses.set(one.target, Number(facts["status"]));
  }
  return lookedAt(set).map((target) => {
    const url = addressOf(set.targets.resolve(target)) ?? target;
    const status = statuses.get(url);
    const nothing = { requests: 0, attempts: 1, bytesReceived: 0, milliseconds: 0 };
    return status === undefined ? { target } : { target, probe: { ...nothing, url, status } };
  });
}

type SeenTarget = Parameters<typeof accessFacts>[1][number];

/** Lines for people: of several configurations the likeliest, and none that was printed before. */
function remedyLines({ remedies = [] }: CheckFinding, printed: Set<string>): readonly string[] {
  const [first] = remedies;
  const shown = remedies.filter((one) => one === first || isForAll(one));
  return shown.flatMap((remedy) => {
    const { title, text } = remedy;
    const isPrinted = printed.has(text);
    printed.add(text);
    if (isPrinted) return [`    ${paint("info", printable(`${title}: as above.`))}`];
    if (!text.includes("\n")) return [`    ${paint("info", `${printable(title)}:`)} ${printable(text)}`];
    const lines = printableLines(text).split("\n");
    return [
      `    ${paint("info", `${printable(title)}:`)}`,
      ...lines.map((line) => (line === "" ? "" : `      ${line}`)),
    ];
  });
}

const isForAll = ({ id }: Remedy): boolean => id === "curl" || id === "doctor" || id === "python";

// What checking one set on the command line came to.

export interface Report extends CheckReport {
  readonly headline: string;
  /** Which arrays lose how much; empty where none does. */
  readonly loss: string;
  /** The set could not be opened. */
  readonly isUnopened: boolean;
  /** By which something was accepted. */
  readonly acceptances: readonly Acceptance[];
  /** Those that were asked about. */
  readonly readers: readonly ReaderReport[];
}

// What `check` prints: for people, for programs, for code hosts.

// What `check --reader` prints of readers: a line each, then every effect with its evidence.

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

const PRINTED: Readonly<Record<CheckFormat, (reports: readonly Named[], unchosen: readonly Unchosen[]) => string>> = {
  text: (reports) => reports.flatMap(textLines).join("\n"),
  json: (reports, unchosen) =>
    jsonByName(new Map([...reports.map(([name, report]) => [name, contract(report)] as const), ...unchosen])),
  sarif: (reports) =>
    printableJson(
      sarifReport(
        reports.map(([name, report]) => ({ name: inProject(name), report })),
        VERSION,
        (code) => entryOf(code)?.title,
      ),
    ),
  github: (reports) =>
    reports.flatMap(([name, report]) => githubLines(inProject(name), report).map(visible)).join("\n"),
  markdown: (reports) =>
    reports
      .map(([name, report]) => markdownReport(name, report.headline, report))
      .map(printableLines)
      .join("\n"),
};

/** Code hosts know files by their paths in the project, where the command runs. */
function inProject(name: string): string {
  const path = isAbsolute(name) ? relative(process.cwd(), name) : name;
  return path.startsWith("..") || isAbsolute(path) ? name : path;
}

/** What was accepted and what readers were asked about stand beside the findings, where there are any. */
function contract({ verdict, findings, checked, accepted, readers }: Report): object {
  return {
    verdict,
    findings,
    checked,
    ...(readers.length === 0 ? {} : { readers }),
    ...(accepted === undefined ? {} : { accepted }),
  };
}

const TONES = { yes: "good", no: "error", partly: "warning", "not-checked": "info" } as const;
const SIGNS = { good: "✓", error: "✕", warning: "◐", info: "○" } as const satisfies Partial<Record<Tone, string>>;

/** The verdict first, then what is wrong, the worst first. */
function textLines([name, report]: Named): readonly string[] {
  const { verdict, findings, headline, loss, accepted = [], readers } = report;
  const answers = QUESTIONS.map((question) => {
    const { answer, why } = verdict[question];
    return {
      tone: TONES[answer],
      cells: [`${SIGNS[TONES[answer]]} ${QUESTION_WORDS[question]}`, ANSWER_WORDS[answer], why],
    };
  });
  const printed = new Set<string>();
  const causes = together(findings, likenessInReport);
  const lines = aligned(answers.map(({ cells }) => cells));
  return [
    paint("heading", printable(`${name}: ${headline}`)),
    ...(loss === "" ? [] : [`  ${printable(loss)}`]),
    "",
    ...lines.map((line, at) => `  ${paint(answers[at]?.tone ?? "info", line)}`),
    "",
    ...causes.flatMap(([first, ...others]) => findingLines(first, others, printed)),
    ...(causes.length === 0 ? [] : [`  ${totals(causes.map(([first]) => first))}`]),
    ...(accepted.length === 0 ? [] : [`  ${counted(accepted.length, "accepted finding")}`]),
    ...(readers.length === 0 ? [] : readerLines(readers)),
    "",
  ];
}

/** Chunks that are named. */
const MAX_CHUNKS = 4;

function findingLines(found: CheckFinding, others: readonly CheckFinding[], printed: Set<string>): readonly string[] {
  const { severity, code, cause, message, advice } = found;
  const where = [whereOf(found), ...moreNodes(others)].join("");
  const outgrown = outgrownWords(found);
  const often = oftenWords(found);
  const head = `${paint(severity, severity === "info" ? "note" : severity)} ${paint("heading", printable(cause))}`;
  return [
    `  ${head}${printable(`${where === "" ? "" : ` · ${where}`}${often}`)} ${paint("info", `[${code}]`)}`,
    `    ${printable(message)}`,
    ...(outgrown === undefined ? [] : [`    ${printable(outgrown)}`]),
    ...(advice === undefined ? [] : [paint("info", `    ${printable(advice)}`)]),
    ...fixLines(found),
    ...remedyLines(found, printed),
  ];
}

function fixLines({ fix }: CheckFinding): readonly string[] {
  if (fix === undefined) return [];
  const { title, words, key, line, before, after, ofFirstAlone } = fix;
  const alone = ofFirstAlone === true ? " It fixes this chunk alone." : "";
  const where = line === undefined ? key : `line ${count(line)}, ${key}`;
  const written = (text: string) => printable(text === "" ? "no reference" : text);
  return [
    `    ${paint("good", "Fix:")} ${printable(title)}. ${printable(words)}${alone}`,
    `      ${printable(where)}`,
    `      ${paint("error", `- ${written(before)}`)}`,
    `      ${paint("good", `+ ${written(after)}`)}`,
  ];
}

function whereOf({ array, key, target, chunks = [] }: CheckFinding): string {
  const named = chunks.slice(0, MAX_CHUNKS).map(String);
  const more = chunks.length > MAX_CHUNKS ? ["…"] : [];
  const place = named.length > 0 ? [...named, ...more].join(", ") : (key ?? (array === "" ? "/" : array));
  return [place, target].filter((part) => part !== undefined && part !== "").join(" · ");
}

/** Nodes that are named besides the first. */
const MAX_NODES = 3;

function moreNodes(others: readonly CheckFinding[]): readonly string[] {
  const named = others.slice(0, MAX_NODES).map(({ array }) => (array === "" ? "/" : array));
  const rest = others.length - named.length;
  return [...named.map((name) => `, ${name}`), ...(rest === 0 ? [] : [` and ${rest} more`])];
}

function totals(findings: readonly CheckFinding[]): string {
  const of = (severity: CheckFinding["severity"]) => findings.filter((one) => one.severity === severity).length;
  return [counted(of("error"), "error"), counted(of("warning"), "warning"), counted(of("info"), "note")].join(", ");
}

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
  const reports: Named[] = [];
  const unchosen: Unchosen[] = [];
  try {
    for (const one of refs) {
      const report = await checkRefs(one, options, pool, context, given).catch((error: unknown) => {
        if (!(error instanceof ChoiceNeeded)) throw error;
        printUnopened(one, error.message);
        unchosen.push([one, error.opened]);
      });
      if (report !== undefined) reports.push([one, report]);
    }
  } finally {
    pool.close();
  }
  await writeAccepted(reports, options);
  const text = PRINTED[format](reports, unchosen);
  if (text !== "") console.log(text);
  return reports.reduce((worst, [, report]) => Math.max(worst, exitOf(report, failOn)), unchosen.length > 0 ? 2 : 0);
}

/** The user's expectations and acceptances. */
interface Given {
  readonly expectation: NamedExpectation | undefined;
  readonly acceptances: readonly Acceptance[];
  /** Whether fixes are looked for, too. */
  readonly fixes: boolean;
  /** The reader that is asked about. */
  readonly reader?: AskedReader | undefined;
}

const NOTHING_GIVEN: Given = { expectation: undefined, acceptances: [], fixes: false };

async function givenFiles({ expect, accept, reader }: CommandOptions): Promise<Given> {
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
    const set = await openSet(refs, options, context);
    const checked = await checkSet(set, await checkRequest(refs, options, decoder, given), context);
    if (options.writeExpect !== undefined)
      await writeFile(options.writeExpect, await writeExpectation(set, decoder, context));
    const { findings, reports } = checked;
    const remedies = await remediesOfSet({ set, findings, reports, origin: originOf(options) }, context);
    const said = findings.map((one) => inWords(one, explained));
    const isDeep = options.deep !== undefined;
    const mayAsk = given.fixes && (isDeep || options.network === true || isLocal(set));
    const fixes = mayAsk ? await fixesOfCauses(set, said, { isDeep }, context) : new Map<SaidFinding, CauseFix>();
    return reportFor(set, { ...checked, said, remedies, fixes }, given.acceptances);
  } catch (error) {
    context.signal.throwIfAborted();
    if (error instanceof ChoiceNeeded) throw error;
    const why = findingOfError(error, `Checking ${refs}`);
    const nothing = { checked: NOTHING_CHECKED, remedies: () => [], fixes: new Map<SaidFinding, CauseFix>() };
    return reportFor(undefined, { ...nothing, said: [inWords(why, explained)] }, []);
  }
}

/** What the options ask for. Throws where they cannot be read. */
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
  return { decoder, expectation, sources, deep, reader: readerRequest(reader, deep) };
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
  readonly fixes: ReadonlyMap<SaidFinding, CauseFix>;
}

function reportFor(
  set: EngineSet | undefined,
  { said: causes, checked, readers, remedies, fixes }: Found,
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
    const [pasted, known, fix] = [remedies(one), outgrown.get(one), fixes.get(one)];
    return {
      ...(fix !== undefined && { fix }),
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

async function writeAccepted(reports: readonly Named[], { writeAccept }: CommandOptions): Promise<void> {
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
