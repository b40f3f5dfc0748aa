/** `verdicts.json`, to which the action appends (integrations/action/run.mjs): what checks of a set said, over time. */
import { attempt } from "../basics.ts";
import type { Answer } from "./check.ts";
import { QUESTIONS, type Question } from "./question.ts";

export interface PastVerdict {
  /** ISO date, as written. */
  readonly date: string;
  readonly answers: ReadonlyMap<Question, Answer>;
  readonly problems: number;
  readonly firstTarget: string | undefined;
  /** Questions whose answer was another one the time before; all of the first. */
  readonly changed: readonly Question[];
}

const MAX_VERDICTS = 400;

/** Those of a set by the last part of its name, oldest first. What is no verdict is left out. */
export function pastVerdicts(text: string, name: string): readonly PastVerdict[] {
  const all: unknown = attempt(() => JSON.parse(text) as unknown);
  const own = (Array.isArray(all) ? all : []).flatMap((one: unknown) => verdictIn(one, lastPart(name)) ?? []);
  return own.slice(-MAX_VERDICTS).map((one, at, { [at - 1]: before }) => ({
    ...one,
    changed: QUESTIONS.filter((question) => one.answers.get(question) !== before?.answers.get(question)),
  }));
}

function verdictIn(entry: unknown, name: string): Omit<PastVerdict, "changed"> | undefined {
  if (typeof entry !== "object" || entry === null) return undefined;
  const { set, date, verdict, problems, firstTarget } = entry as Readonly<Record<string, unknown>>;
  if (typeof set !== "string" || lastPart(set) !== name || typeof date !== "string" || !/^\d{4}-\d\d-\d\d/.test(date))
    return undefined;
  const said = new Map<string, unknown>(Object.entries(verdict ?? {}));
  const answers = QUESTIONS.flatMap((question) => {
    const answer = ANSWERS.find((one) => one === said.get(question));
    return answer === undefined ? [] : [[question, answer] as const];
  });
  return {
    date,
    answers: new Map(answers),
    problems: typeof problems === "number" ? problems : 0,
    firstTarget: typeof firstTarget === "string" ? firstTarget : undefined,
  };
}

/** Worst first. */
const ANSWERS = ["no", "partly", "yes", "not-checked"] as const satisfies readonly Answer[];

export const worstAnswer = ({ answers }: PastVerdict): Answer =>
  ANSWERS.find((one) => [...answers.values()].includes(one)) ?? "not-checked";

const lastPart = (name: string): string =>
  name
    .replace(/[?|].*$/s, "")
    .split("/")
    .findLast(Boolean) ?? name;
