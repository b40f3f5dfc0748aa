/** The five answers in words, from what was found and how far the check came. */
import { QUESTIONS, type Answer, type Checked, type Question, type QuestionAnswer, type Verdict } from "./check.ts";
import type { Finding } from "./findings/fact.ts";
import type { Explained } from "./findings/explained.ts";
import type { StateCounts } from "./open-set.ts";

/** A finding with what the catalogue says of it. */
export interface SaidFinding {
  readonly found: Finding;
  readonly said: Explained;
}

export interface JudgedSet {
  readonly format: { readonly label: string };
  readonly keys: number;
  readonly tally: { readonly states: StateCounts; readonly cells: number };
}

export interface Judged {
  /** Absent where it could not be opened. */
  readonly set: JudgedSet | undefined;
  readonly findings: readonly SaidFinding[];
  readonly checked: Checked;
}

type Judge = (judged: Judged, about: readonly SaidFinding[]) => QuestionAnswer;

export function verdictOf(judged: Judged): Verdict {
  const { set, findings } = judged;
  const answers = QUESTIONS.map((question): [Question, QuestionAnswer] => {
    const about = findings.filter(({ said }) => said.question === question);
    if (set === undefined && question !== "opens") return [question, NOTHING];
    return [question, JUDGES[question](judged, about)];
  });
  return Object.fromEntries(answers) as Record<Question, QuestionAnswer>;
}

const NOTHING: QuestionAnswer = { answer: "not-checked", why: "The set does not open." };

const JUDGES: Readonly<Record<Question, Judge>> = { opens, complete, values, sources, readers };

function opens({ set }: Judged, about: readonly SaidFinding[]): QuestionAnswer {
  const worst = worstOf(about);
  if (set === undefined) return { answer: "no", why: worst?.said.message ?? "It could not be opened." };
  const refused = about.find(({ found }) => found.code === "set-refused");
  if (refused !== undefined) return { answer: "no", why: refused.said.message };
  const what = `${set.format.label}, ${counted(set.keys, "reference")}.`;
  if (worst === undefined) return { answer: "yes", why: what };
  return { answer: "partly", why: `${what} ${atFirst(about)}` };
}

function complete({ set }: Judged, about: readonly SaidFinding[]): QuestionAnswer {
  const { missing = 0, unknown = 0 } = set?.tally.states ?? {};
  const cells = set?.tally.cells ?? 0;
  if (cells === 0) return { answer: "yes", why: "No array expects a chunk." };
  const of = `${count(missing)} of ${counted(cells, "chunk")}`;
  if (missing === cells) return { answer: "no", why: "Not one chunk has a reference." };
  const rest = unknown > 0 ? ` Of ${counted(unknown, "chunk")} it is not known yet.` : "";
  if (missing > 0) return { answer: "partly", why: `${of} have no reference.${rest}` };
  if (unknown === cells) return { answer: "not-checked", why: "No page of references is here yet." };
  if (unknown > 0) return { answer: "partly", why: rest.trim() };
  const worst = worstOf(about);
  if (worst !== undefined) return { answer: "partly", why: atFirst(about) };
  return { answer: "yes", why: `All ${counted(cells, "chunk")} have a reference.` };
}

function values({ checked: { chunks } }: Judged, about: readonly SaidFinding[]): QuestionAnswer {
  const { of, decoded, failed } = chunks;
  const looked = decoded + failed;
  const rest = of - looked;
  const unread = rest > 0 ? ` ${count(rest)} of ${counted(of, "chunk")} ${rest === 1 ? "is" : "are"} not decoded.` : "";
  if (failed > 0)
    return { answer: "no", why: `${count(failed)} of ${counted(looked, "decoded chunk")} fail.${unread}` };
  const worst = worstOf(about);
  if (worst?.said.severity === "error") return { answer: "no", why: `${atFirst(about)}${unread}` };
  if (worst !== undefined) return { answer: "partly", why: `${atFirst(about)}${unread}` };
  if (looked === 0 && of > 0) return { answer: "not-checked", why: "No chunk was decoded." };
  if (rest > 0)
    return { answer: "partly", why: `${counted(looked, "chunk")} decoded, none fails.${unread}${unseen(looked)}` };
  return { answer: "yes", why: of === 0 ? "There are no chunks to decode." : `All ${counted(of, "chunk")} decode.` };
}

/** Of a sample of which none fails: the share of all that may fail, such that one in 20 samples shows none of them. */
function unseen(looked: number): string {
  const share = 100 * (1 - 0.05 ** (1 / looked));
  return ` With 95 % confidence less than ${share < 1 ? share.toPrecision(1) : Math.ceil(share)} % of all fail.`;
}

function sources({ checked: { targets } }: Judged, about: readonly SaidFinding[]): QuestionAnswer {
  const { of, asked, answered, unrecorded = 0 } = targets;
  const worst = worstOf(about);
  const rest = of - asked;
  const unasked = rest > 0 ? ` ${counted(rest, "target")} not asked.` : "";
  if (of === 0) return { answer: "yes", why: "Nothing is read from elsewhere." };
  if (asked === 0) {
    if (worst === undefined) return { answer: "not-checked", why: "No target was asked." };
    return { answer: worst.said.severity === "error" ? "no" : "partly", why: `${atFirst(about)}${unasked}` };
  }
  const reached = `${count(answered)} of ${counted(asked, "target")} asked answer.`;
  if (answered === 0) return { answer: "no", why: `${reached} ${atFirst(about)}${unasked}` };
  if (worst !== undefined || answered < asked || rest > 0)
    return { answer: "partly", why: [reached, atFirst(about)].filter((part) => part !== "").join(" ") + unasked };
  const dates = unrecorded > 0 ? " Nothing was recorded that could tell whether they changed." : "";
  return { answer: "yes", why: `${reached}${dates}` };
}

function readers(_: Judged, about: readonly SaidFinding[]): QuestionAnswer {
  const why = worstOf(about) === undefined ? "Choose a reader." : atFirst(about);
  return { answer: "not-checked", why };
}

/** Notes are no reason for another answer. */
function worstOf(about: readonly SaidFinding[]): SaidFinding | undefined {
  return about.find(({ said }) => said.severity === "error") ?? about.find(({ said }) => said.severity === "warning");
}

/** The title of the worst, and how many more there are. */
function atFirst(about: readonly SaidFinding[]): string {
  const told = about.filter(({ said }) => said.severity !== "info");
  const worst = worstOf(about);
  if (worst === undefined) return "";
  return `${worst.said.title}${told.length > 1 ? `, and ${count(told.length - 1)} more` : ""}.`;
}

const count = (value: number): string => value.toLocaleString("en");
const counted = (value: number, one: string): string => `${count(value)} ${one}${value === 1 ? "" : "s"}`;

export type { Answer };
