import type { Outcome } from "../../core/readers/outcome-words.ts";
import type { Answer } from "../../core/check.ts";
import { AnswerSign } from "./Questions.tsx";

const AS_ANSWER: Readonly<Record<Outcome, Answer>> = {
  reads: "yes",
  loss: "partly",
  wrong: "no",
  fails: "partly",
  refuses: "no",
  unknown: "not-checked",
};

/** The same shapes as those of the five answers. */
export function OutcomeSign({ outcome }: { readonly outcome: Outcome }) {
  return <AnswerSign answer={AS_ANSWER[outcome]} />;
}
