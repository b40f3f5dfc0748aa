/** One worker in the browser that decodes the cases it is sent, again and again. */
import type { DecodeCase } from "./decode-cases.ts";
import { agree, timeDecoding, type DecodeSubject } from "./decode-subjects.ts";

export type DecodeQuestion =
  | { readonly kind: "cases"; readonly cases: readonly DecodeCase[] }
  | { readonly kind: "time"; readonly index: number; readonly subject: DecodeSubject; readonly repetitions: number }
  | { readonly kind: "agree"; readonly index: number };

let cases: readonly DecodeCase[] = [];

async function answer(question: DecodeQuestion): Promise<unknown> {
  if (question.kind === "cases") {
    ({ cases } = question);
    return cases.length;
  }
  const one = cases[question.index];
  if (one === undefined) throw new Error("no such case");
  return question.kind === "agree" ? agree(one) : timeDecoding(question.subject, one, question.repetitions);
}

addEventListener("message", (event: MessageEvent<DecodeQuestion>) => {
  answer(event.data).then(
    (result) => postMessage({ result }),
    (error: unknown) => postMessage({ error: String(error) }),
  );
});
