/** What a server has said about keys, for a while: the same question is not asked twice. */
import type { StoreAnswer } from "./store-answer.ts";

export interface Answers {
  of(key: string): StoreAnswer | undefined;
  keep(key: string, answer: StoreAnswer): void;
}

const MAX_KEPT = 100_000;

/** `time` and what `now` gives are in milliseconds. */
export function rememberedAnswers(time: number, now: () => number): Answers {
  const kept = new Map<string, { readonly answer: StoreAnswer; readonly until: number }>();
  return {
    of(key) {
      const found = kept.get(key);
      if (found === undefined) return undefined;
      if (now() < found.until) return found.answer;
      kept.delete(key);
      return undefined;
    },
    keep(key, answer) {
      kept.delete(key);
      kept.set(key, { answer, until: now() + time });
      const oldest = kept.keys().next().value;
      if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
    },
  };
}
