/** The five answers in words, from what was found and how far the check came. */
import { count, counted, listed } from "../words.ts";
import type { Answer, Checked, QuestionAnswer, Verdict } from "./check.ts";
import { agreementWords, heldPlacesWords } from "./compared-words.ts";
import { QUESTIONS, type Question } from "./question.ts";
import { lossParts, lostCount } from "./loss-words.ts";
import { failures, lostChunks } from "./lost-chunks.ts";
import { causeCount, isOfExpectation, leavesArraysUnread } from "../findings/finding.ts";
import type { SaidFinding } from "../findings/explained.ts";
import { outOfReach } from "../findings/out-of-reach.ts";
import { hostOfUrl } from "../byte-source.ts";
import type { StateCounts } from "../open-set.ts";
import { allReadersWords, answerOfReader, outcomeOf, runWords } from "../readers/outcome-words.ts";
import type { ReaderVerdict } from "../readers/verdict.ts";

export interface JudgedSet {
  /** "Kerchunk JSON, Version 1". */
  readonly format: string;
  /** Keys that are references, those of metadata among them. */
  readonly references: number;
  /** A data file: its chunks are its own. */
  readonly isFile?: true | undefined;
  readonly states: StateCounts;
  /** Chunks that the grids of all arrays expect. */
  readonly cells: number;
}

export interface Judged {
  /** Absent where it could not be opened. */
  readonly set: JudgedSet | undefined;
  readonly findings: readonly SaidFinding[];
  readonly checked: Checked;
  /** Verdicts on all readers, where none is named. */
  readonly readers?: readonly ReaderVerdict[] | undefined;
  /** Codes of findings that are known and accepted: they are not among the findings. */
  readonly accepted?: readonly string[];
  /** These findings. Absent: none. */
  readonly aside?: readonly SaidFinding[];
}

type Judge = (judged: Judged, about: readonly SaidFinding[]) => QuestionAnswer;

export function verdictOf(judged: Judged): Verdict {
  const { set, findings } = judged;
  const answers = QUESTIONS.map((question): [Question, QuestionAnswer] => {
    const about = findings.filter(({ said }) => said.question === question);
    if (set === undefined && question !== "opens") return [question, NOT_OPEN];
    return [question, JUDGES[question](judged, about)];
  });
  return Object.fromEntries(answers) as Record<Question, QuestionAnswer>;
}

/** The verdict in one sentence, without a full stop: "Opens, but 5 chunks cannot be read". */
export function headlineOf(judged: Judged): string {
  const { set, findings, checked, accepted = [] } = judged;
  const { chunks, targets } = checked;
  if (set === undefined) return "Cannot be opened";
  if (findings.some(({ found }) => found.code === "set-refused")) return "fsspec rejects the dataset";
  const unreached = unreachedCount(judged);
  const out = unreached === 0 ? [] : [`${counted(unreached, "chunk")} ${unreached === 1 ? "is" : "are"} out of reach`];
  const silent = silentHosts(judged);
  if (silent === 1) return `Opens; ${["the host of its sources does not respond", ...out].join(": ")}`;
  if (silent > 0) return `Opens; ${[`none of ${count(silent)} hosts responds`, ...out].join(": ")}`;
  const loss = lossParts(findings, set);
  if (loss.length > 0)
    return `Opens, but ${listed([...loss, ...(unreached === 0 ? [] : [`${count(unreached)} ${unreached === 1 ? "is" : "are"} out of reach`])])}`;
  const isOther = findings.some((one) => isError(one) && outOfReach(one.found) === undefined);
  if (unreached > 0 && !isOther) return `Opens, but${unreachedWords(unreached).slice(0, -1)}`;
  const causes = (severity: string) => causeCount(findings.filter(({ said }) => said.severity === severity));
  const [errors, warnings] = [causes("error"), causes("warning")];
  if (errors > 0 && !hasOtherError(findings)) return "Opens, but a host did not always respond";
  if (errors > 0) return `Opens, but has ${[counted(errors, "error"), ...out].join("; ")}`;
  if (warnings > 0) return `Opens with ${counted(warnings, "warning")}`;
  const isWhole =
    chunks.decoded + chunks.failed >= chunks.of && targets.asked >= targets.of && unknownWords(judged) === "";
  const notes = causes("info");
  const missing = set.isFile === true ? 0 : set.states.missing;
  // A few that are missing may be meant to be: most of them are data that is not there.
  const isLacking =
    missing * 2 > set.cells &&
    findings.some(({ found, said }) => found.code === "chunks-missing" && said.severity === "info");
  if (isLacking)
    return `Opens; ${counted(missing, "chunk")} of ${count(set.cells)} ${missing === 1 ? "is" : "are"} missing`;
  const nothing = notes === 0 ? "No problems found" : isWhole ? "No errors" : "No errors found";
  const aside = accepted.length === 0 ? "" : ", apart from accepted ones";
  const unasked = targets.of > 0 && targets.asked === 0 ? "; sources not checked" : "";
  return `${nothing}${isWhole ? "" : " so far"}${aside}${unasked}${notes === 0 ? "" : ` · ${counted(notes, "note")}`}`;
}

/** Chunks of whose sources nothing came, when they were read or their sources asked. */
function unreachedCount({ findings, checked: { chunks }, accepted = [] }: Judged): number {
  const { unreached = 0 } = chunks;
  // A finding always tells what is out of reach: where there is none, it was accepted.
  return accepted.length > 0 ? Math.min(unreached, lostCount(findings, undefined, "unreached")) : unreached;
}

/** Begins with a space. */
const unreachedWords = (unreached: number): string =>
  unreached === 0
    ? ""
    : ` ${counted(unreached, "chunk")} could not be checked: ${unreached === 1 ? "its source is" : "their sources are"} out of reach.`;

/** The questions as they are asked. */
export const QUESTION_WORDS: Readonly<Record<Question, string>> = {
  opens: "Does it open?",
  complete: "Is it complete?",
  values: "Are the values right?",
  sources: "Are the sources available and unchanged?",
  readers: "Can my reader read it?",
};

export const ANSWER_WORDS: Readonly<Record<Answer, string>> = {
  yes: "Yes",
  no: "No",
  partly: "Partially",
  "not-checked": "Not checked",
};

const NOT_OPEN: QuestionAnswer = { answer: "not-checked", why: "The dataset does not open." };

const JUDGES: Readonly<Record<Question, Judge>> = { opens, complete, values, sources, readers };

function opens({ set }: Judged, about: readonly SaidFinding[]): QuestionAnswer {
  const worst = worstOf(about);
  if (set === undefined) return { answer: "no", why: worst?.said.message ?? "The dataset could not be opened." };
  const refused = about.find(({ found }) => found.code === "set-refused");
  if (refused !== undefined) return { answer: "no", why: refused.said.message };
  const chunks = set.cells - set.states.missing;
  const what = `${set.format}, ${set.isFile === true ? counted(chunks, "chunk") : counted(set.references, "reference")}.`;
  if (worst?.said.severity !== "error") return { answer: "yes", why: what };
  return { answer: "partly", why: `${what} ${atFirst(about)}` };
}

function complete(judged: Judged, about: readonly SaidFinding[]): QuestionAnswer {
  const { answer, why } = byGrids(judged, about);
  return { answer, why: [why, expectedWords(judged)].filter((part) => part !== "").join(" ") };
}

function expectedWords({ findings, checked: { expectation } }: Judged): string {
  if (expectation === undefined) return "";
  const { name, arrays, coordinates, met } = expectation;
  const size = `${counted(arrays, "array")}, ${counted(coordinates, "coordinate")}`;
  if (met) return `Meets ${name} (${size}).`;
  const left = findings.filter(({ found }) => isOfExpectation(found));
  if (left.length === 0) return `Meets ${name} (${size}), apart from accepted problems.`;
  return `Does not meet ${name} (${size}): ${atFirst(left)}`;
}

/** Answers by the number of chunks that the grids expect, and by which arrays need not be full. */
function byGrids(judged: Judged, about: readonly SaidFinding[]): QuestionAnswer {
  const { set, checked, findings, accepted = [] } = judged;
  const { missing = 0, unknown = 0, bad = 0 } = set?.states ?? {};
  const cells = set?.cells ?? 0;
  const others = about.filter(({ found }) => !isOfExpectation(found));
  const more = unknownWords(judged);
  if (cells === 0 && more !== "") return { answer: "not-checked", why: more.trim() };
  const isEmpty = findings.some(({ found, said }) => found.code === "no-arrays" && said.severity === "error");
  if (isEmpty) return { answer: "no", why: "There are no arrays." };
  if (cells === 0 && findings.some(({ found }) => leavesArraysUnread(found)))
    return { answer: "no", why: "No array with chunks could be read." };
  if (cells === 0) return { answer: worstOf(about) === undefined ? "yes" : "partly", why: "No array has chunks." };
  const of = `${count(missing)} of ${counted(cells, "chunk")}`;
  const isOne = missing === 1;
  const have =
    set?.isFile === true ? `${isOne ? "is" : "are"} not in the file` : `${isOne ? "has" : "have"} no reference`;
  const worst = worstOf(about);
  if (missing === cells) return { answer: "no", why: "No chunk has a reference." };
  const denied = lostCount(findings.filter(isDenied), set, "unreached");
  // Some of them could not be read, which is said of them below.
  const unusable = bad - (denied > 0 ? denied : (checked.unread ?? 0));
  const rest = [
    unusable > 0
      ? ` ${counted(unusable, "chunk")} ${unusable === 1 ? "has" : "have"} no reference that can be used.`
      : "",
    unknown > 0 ? ` Not known yet for ${counted(unknown, "chunk")}.` : "",
    denied > 0 ? ` Not known for ${counted(denied, "chunk")}: access is denied.` : "",
    denied > 0 ? "" : unreachedWords(unreachedCount(judged)),
    denied > 0 ? "" : unreadableWords(judged),
  ].join("");
  // Missing chunks are always reported: if no finding reports them, they were accepted.
  const isKnown = accepted.length > 0 && about.length === 0;
  if (missing > 0 && isKnown && unknown === 0) return { answer: "yes", why: `${of} ${have}, all accepted.` };
  const isExpected = worst === undefined && missing <= (checked.expectation?.mayLack ?? 0);
  if (missing > 0 && isExpected && unknown + denied === 0)
    return { answer: "yes", why: `${of} ${have}, and ${missing === 1 ? "needs" : "need"} none.` };
  if (missing > 0) return { answer: "partly", why: `${of} ${have}.${rest}` };
  if (unknown === cells) return { answer: "not-checked", why: "No references have been read yet." };
  if (denied >= cells) return { answer: "not-checked", why: rest.trim() };
  if (rest !== "") return { answer: "partly", why: rest.trim() };
  if (worst !== undefined && worstOf(others) !== undefined) return { answer: "partly", why: atFirst(others) };
  return {
    answer: worst === undefined ? "yes" : "partly",
    why:
      set?.isFile === true
        ? "All chunks are in the file."
        : `${cells === 1 ? "The only chunk has a reference" : `All ${count(cells)} chunks have references`}.`,
  };
}

/** A denied chunk may exist or not. */
const isDenied = ({ found: { code, facts } }: SaidFinding): boolean =>
  code === "chunk-denied" || (code === "http-status" && (facts["status"] === 401 || facts["status"] === 403));

function values(judged: Judged, about: readonly SaidFinding[]): QuestionAnswer {
  const { findings, accepted = [], set } = judged;
  const { of, decoded, failed, unbuilt = 0, drawn = 0 } = judged.checked.chunks;
  const looked = decoded + failed;
  const unreached = unreachedCount(judged);
  const unread = unreadWords(judged.checked.chunks, unreached);
  // Failures are always reported: if no finding reports them, they were accepted.
  const isKnown = accepted.length > 0 && lostChunks(findings).size === 0;
  const known = isKnown ? failed : Math.min(failed, asideCount(judged));
  const open = failed - known;
  if (open > 0) {
    const more = known === 0 ? "" : ` ${count(known)} more ${known === 1 ? "fails but is" : "fail but are"} accepted.`;
    return {
      answer: "no",
      why: `${count(open)} of ${counted(looked, "checked chunk")} failed to decode.${more}${unread}`,
    };
  }
  const worst = worstOf(about);
  if (worst?.said.severity === "error") return { answer: "no", why: `${atFirst(about)}${unread}` };
  if (worst !== undefined) return { answer: "partly", why: `${atFirst(about)}${unread}` };
  const isWhole = looked >= of;
  if (failed > 0) {
    const why = `${count(failed)} of ${counted(looked, "decoded chunk")} ${failed === 1 ? "fails but is" : "fail but are"} accepted.`;
    return { answer: isWhole ? "yes" : "partly", why: `${why}${unread}` };
  }
  const unknown = unknownWords(judged);
  if (looked === 0 && unknown !== "") return { answer: "not-checked", why: `No chunk has been decoded.${unknown}` };
  if (looked === 0 && of + unreached > 0)
    return { answer: "not-checked", why: unbuilt + unreached > 0 ? unread.trim() : "No chunk has been decoded." };
  // Decoded values need not be the data: uncompressed chunks read a web page as values.
  const elsewhere = findings.filter(
    ({ found, said }) => said.question === "sources" && said.severity === "error" && outOfReach(found) === undefined,
  );
  const lost = lostCount(elsewhere, set);
  if (lost > 0)
    return {
      answer: "no",
      why: `${counted(lost, "chunk")} cannot be read: ${atFirst(elsewhere)}${unread}`,
    };
  if (!isWhole || unknown !== "" || unreached > 0) {
    const known = looked + unbuilt + unreached;
    const left = unreadWords({ ...judged.checked.chunks, of: known }, unreached);
    const more = unreached + unbuilt > 0 ? "" : unseen(drawn);
    return { answer: "partly", why: `${soundWords(judged)}.${left}${unknown}${more}` };
  }
  if (of === 0) return { answer: "not-checked", why: "There are no chunks to decode." };
  const decode = of === 1 ? "The only chunk decodes" : `All ${count(of)} chunks decode`;
  return { answer: "yes", why: decode + agreementWords(judged.checked.compared ?? []) };
}

/** "No problems in 21 of 102 chunks". */
function soundWords(judged: Judged): string {
  const { checked, set } = judged;
  const { of, decoded, failed, unbuilt = 0 } = checked.chunks;
  const unreached = unreachedCount(judged);
  const unknown = (set?.states.unknown ?? 0) + Math.max(0, (checked.unread ?? 0) - unreached);
  const all = Math.max(of + unknown, decoded + failed + unbuilt + unreached);
  return `No problems in ${count(decoded)} of ${counted(all, "chunk")}`;
}

export interface ShownAnswer extends QuestionAnswer {
  readonly text: string;
  /** Nothing was found that is wrong: it is partial since not all was checked, or could be. */
  readonly isNeutral: boolean;
}

/** An answer for the screen: where values were partly checked and nothing is wrong, it says how many were. */
export function shownAnswer(judged: Judged, question: Question, { answer, why }: QuestionAnswer): ShownAnswer {
  const about = judged.findings.filter(({ said }) => said.question === question);
  const isNeutral = answer === "partly" && worstOf(about) === undefined;
  const sound = soundWords(judged);
  return isNeutral && question === "values" && why.startsWith(sound)
    ? { answer, isNeutral, text: sound, why: why.slice(sound.length + 1).trim() }
    : { answer, isNeutral, text: ANSWER_WORDS[answer], why };
}

/** Chunks that were not decoded, and those that cannot be here; begins with a space. */
function unreadWords({ of, decoded, failed, unbuilt = 0 }: Checked["chunks"], unreached: number): string {
  const rest = Math.max(0, of - decoded - failed - unbuilt - unreached);
  const more = unreachedWords(unreached);
  const left =
    rest > 0
      ? `${more} ${count(rest)} of ${counted(of, "chunk")} ${rest === 1 ? "has" : "have"} not been decoded.`
      : more;
  const here = `${counted(unbuilt, "chunk")} ${unbuilt === 1 ? "is" : "are"} not checked`;
  return unbuilt > 0 ? `${left} ${here}: Refscope has no decoder for ${unbuilt === 1 ? "it" : "them"}.` : left;
}

/**
 * Chunks whose references are not here, or cannot be, and arrays that cannot be listed: nothing is known of them.
 * Begins with a space.
 */
function unknownWords(judged: Judged): string {
  const unknown = judged.set?.states.unknown ?? 0;
  return `${unknown === 0 ? "" : ` The references of ${counted(unknown, "chunk")} have not been read yet.`}${unreadableWords(judged)}`;
}

/** Those of chunks that are out of reach are told as such. */
function unreadableWords(judged: Judged): string {
  const { unread: all = 0, unlisted } = judged.checked;
  const unread = Math.max(0, all - unreachedCount(judged));
  const lost =
    unread === 0
      ? ""
      : ` The ${unread === 1 ? "reference of 1 chunk" : `references of ${count(unread)} chunks`} cannot be read.`;
  return unlisted === true
    ? `${lost} The store cannot be listed, so it may have arrays that Refscope does not know.`
    : lost;
}

/** Chunks that fail for nothing but what was accepted. */
function asideCount({ findings, aside = [], set }: Judged): number {
  const failed = failures(aside);
  return failed.length === 0 ? 0 : lostCount([...findings, ...failed], set) - lostCount(findings, set);
}

/**
 * Greatest share of all chunks that may fail although none fails in a random sample of this size (one in 20 samples
 * shows none of them).
 */
function unseen(drawn: number): string {
  const share = 100 * (1 - 0.05 ** (1 / drawn));
  if (drawn === 0 || share > 50) return "";
  return ` With 95% confidence, fewer than ${share < 1 ? share.toPrecision(1) : Math.ceil(share)}% of the chunks of any array would fail.`;
}

function sources(judged: Judged, about: readonly SaidFinding[]): QuestionAnswer {
  const { checked, accepted = [] } = judged;
  const { targets } = checked;
  const { of, asked, answered, unrecorded = 0, unfit = 0 } = targets;
  const worst = worstOf(about);
  const rest = of - asked;
  const unasked = (rest > 0 ? ` ${counted(rest, "source")} not checked.` : "") + unknownWords(judged);
  const unknown = unknownWords(judged);
  if (of === 0 && unknown !== "") return { answer: "not-checked", why: `No source is known yet.${unknown}` };
  if (of === 0) return withoutSources(judged);
  if (worst?.found.code === "offline" && answered === 0)
    return { answer: "not-checked", why: `${atFirst(about)} ${counted(of, "source")} not checked.` };
  if (asked === 0) {
    if (worst === undefined) return { answer: "not-checked", why: "No source has been checked." };
    return { answer: worst.said.severity === "error" ? "no" : "partly", why: `${atFirst(about)}${unasked}` };
  }
  const fit = unfit >= answered ? "none" : `only ${count(answered - unfit)}`;
  const gone = goneWords(targets, about);
  const isWhole = unfit === asked && about.length > 0 && about.every(({ found }) => found.code === "range-ignored");
  const reached = isWhole
    ? `${asked === 1 ? "The source responded, but ignores" : `All ${count(asked)} sources responded, but ignore`} range requests.`
    : `${count(answered)} of ${counted(asked, "source")} ${gone ?? "responded"}${unfit > 0 ? `, ${fit} as a reader needs` : ""}.`;
  const held = worst === undefined ? heldWords(judged) : undefined;
  const isKnown = answered < asked && accepted.length > 0 && worst === undefined;
  if (isKnown) return { answer: rest > 0 ? "partly" : "yes", why: `${reached} The others are accepted.${unasked}` };
  const silent = silentHosts(judged);
  if (silent > 1) {
    const why = `None of ${count(silent)} hosts responded, so there may be no network here: nothing is known of the sources.`;
    return { answer: "not-checked", why: why + unasked };
  }
  const first = gone === undefined && !isWhole ? atFirst(about) : moreProblems(causeCount(toldOf(about)) - 1, ".");
  if (answered === 0) return { answer: "no", why: [reached, first].filter((part) => part !== "").join(" ") + unasked };
  if (worst !== undefined || answered < asked || rest > 0 || unknown !== "")
    return {
      answer: "partly",
      why: [reached, first, held].filter((part) => (part ?? "") !== "").join(" ") + unasked,
    };
  if (held !== undefined) return { answer: "yes", why: `${reached} ${held}` };
  const dates =
    unrecorded > 0 && judged.set?.isFile !== true
      ? " Whether they have changed cannot be told: nothing was recorded of them."
      : "";
  return { answer: "yes", why: `${reached}${dates}` };
}

/** "found; ocean-z.nc is missing": where sources that did not respond are known not to be there. */
function goneWords({ asked, answered }: Checked["targets"], about: readonly SaidFinding[]): string | undefined {
  const absent = about.filter(({ found }) => outOfReach(found) === "absent");
  const places = absent.flatMap(({ found: { place, places = [place] } }) => [place, ...places]);
  const names = new Set(places.flatMap((one) => (one.kind === "target" ? [fileName(one.target ?? "")] : [])));
  const [name] = names;
  if (name === undefined || names.size !== asked - answered) return undefined;
  return `found; ${names.size === 1 ? `${name} is` : `${count(names.size)} are`} missing`;
}

const fileName = (target: string): string =>
  target
    .replace(/[?#].*$/s, "")
    .split("/")
    .at(-1) ?? "";

/**
 * Words on the sources' own metadata, if all references that were checked were compared with it: the only proof that
 * sources are unchanged. They say no more than was compared.
 */
function heldWords({ checked: { rules, compared = [] } }: Judged): string | undefined {
  const { lookedAt = 0, of = 0 } = rules.find(({ rule }) => rule === "files") ?? {};
  if (lookedAt === 0) return undefined;
  const own =
    lookedAt < of
      ? `the indexes of ${count(lookedAt)} of ${counted(of, "file")} have`
      : of === 1
        ? "the file's own index has"
        : "the files' own indexes have";
  return `Offsets and lengths are as ${own} them.${heldPlacesWords(compared)}`;
}

const isError = ({ said }: SaidFinding): boolean => said.severity === "error";

/** An error besides sources that could not be asked. */
const hasOtherError = (findings: readonly SaidFinding[]): boolean =>
  findings.some((one) => isError(one) && outOfReach(one.found) !== "unasked");

/**
 * Hosts, where none of them responds and nothing else is wrong: of several that has one cause, and hardly in the
 * dataset.
 */
function silentHosts({ findings, checked: { targets, chunks }, set }: Judged): number {
  if (targets.asked === 0 && chunks.decoded > (set?.states.inline ?? 0)) return 0;
  if (targets.answered > 0 || findings.some((one) => isError(one) && one.found.code !== "host-unreachable")) return 0;
  const errors = findings.filter(isError);
  const hosts = new Set(errors.map(({ found: { place } }) => (place.kind === "target" ? hostOfUrl(place.target) : "")));
  return hosts.size;
}

/** Chunks that are objects of the store are there if they can be read. */
function withoutSources(judged: Judged): QuestionAnswer {
  const { chunks } = judged.checked;
  const { native = 0 } = judged.set?.states ?? {};
  const unreached = unreachedCount(judged);
  if (unreached > 0) return { answer: "not-checked", why: unreachedWords(unreached).trim() };
  if (native === 0) return { answer: "yes", why: "The dataset uses no other files." };
  const own = `The dataset uses no files but its own: ${counted(native, "chunk")} ${native === 1 ? "is a separate object" : "are separate objects"} in it.`;
  const { of, decoded, failed, unbuilt = 0 } = chunks;
  if (decoded + failed + unbuilt < of) return { answer: "not-checked", why: `${own} Not all of them have been read.` };
  return { answer: "yes", why: `${own} All were requested.` };
}

function readers(judged: Judged, about: readonly SaidFinding[]): QuestionAnswer {
  const { checked, readers: all = [], findings, set } = judged;
  const { reader } = checked;
  const [first, ...others] = about.filter(({ said }) => said.severity !== "info");
  const more = others.length > 0 ? ` And ${count(others.length)} more.` : "";
  // A finding that follows from another is a reason, not a cause.
  const shown = first ?? about.find(({ found }) => found.code === "reader-follows");
  const worst = shown === undefined ? "" : `${shown.said.message}${more}`;
  if (reader === undefined && all.length > 0) return ofAllReaders(all);
  if (reader === undefined) return { answer: "not-checked", why: worst === "" ? "No reader chosen." : worst };
  const { name, version, date, run, asked } = reader;
  const rules = `${asked === undefined ? "By" : `For ${asked}, by`} rules made from ${version} (${date})`;
  const own = answerOfReader(reader);
  if (own === "not-checked") {
    const unknown = about.find(({ found }) => found.code === "reader-not-known")?.said.message;
    const why = unknown ?? `Refscope has no rules for ${name} and this format.`;
    return { answer: own, why: `${why}${runWords(name, run)}` };
  }
  // No reader reads chunks that are missing or do not decode.
  const lost = lostCount(
    findings.filter(({ said }) => said.question === "values" || said.question === "sources"),
    set,
  );
  if (own === "yes" && lost > 0) {
    const why = `No reader reads ${counted(lost, "chunk")}. ${rules}, ${name} reads the others.${runWords(name, run)}`;
    return { answer: "partly", why };
  }
  const out = unreachedCount(judged);
  const reads = `${rules}, ${name} reads it.${unreachedWords(out)}${runWords(name, run)}`;
  if (own === "yes") return { answer: out > 0 ? "partly" : own, why: reads };
  return { answer: own, why: `${worst} ${rules}.${runWords(name, run)}`.trim() };
}

function ofAllReaders(all: readonly ReaderVerdict[]): QuestionAnswer {
  const outcomes = all.map(outcomeOf);
  const isNone = outcomes.every((one) => one === "refuses" || one === "unknown");
  const isAll = outcomes.every((one) => one === "reads");
  return { answer: isAll ? "yes" : isNone ? "no" : "partly", why: allReadersWords(all) };
}

/** Notes are no reason for another answer. */
function worstOf(about: readonly SaidFinding[]): SaidFinding | undefined {
  return about.find(({ said }) => said.severity === "error") ?? about.find(({ said }) => said.severity === "warning");
}

/** The title of the worst, and how many more there are. */
function atFirst(about: readonly SaidFinding[]): string {
  const worst = worstOf(about);
  const more = moreProblems(causeCount(toldOf(about)) - 1, "");
  return worst === undefined ? "" : `${worst.said.title}${more === "" ? "" : `; ${more}`}.`;
}

const toldOf = (about: readonly SaidFinding[]) => about.filter(({ said }) => said.severity !== "info");

const moreProblems = (more: number, end: string): string => (more > 0 ? `${counted(more, "more problem")}${end}` : "");
