/** Notes on parts of a set that are written differently, or not at all: by kind and place, counted. */
import { type FactsOf, finding, type Finding, nodeAt, WHOLE_SET } from "#core/findings/finding.ts";

export type WriteNotes = ReturnType<typeof writeNotes>;

export function writeNotes() {
  const numbers = new Map<string, { readonly note: (number: number) => Finding; number: number }>();
  const add = (key: string, number: number, note: (number: number) => Finding): void => {
    if (number === 0) return;
    const known = numbers.get(key) ?? { note, number: 0 };
    known.number += number;
    numbers.set(key, known);
  };
  const place = (array: string | undefined) => (array === undefined ? WHOLE_SET : nodeAt(array));
  return {
    changed: (what: FactsOf<"write-changed">["what"], array?: string, number = 1) =>
      add(`${what} ${array}`, number, (all) => finding("write-changed", place(array), { what, number: all })),
    leftOut: (what: FactsOf<"write-left-out">["what"], array?: string, number = 1) =>
      add(`${what} ${array}`, number, (all) => finding("write-left-out", place(array), { what, number: all })),
    relative: (number: number) => add("", number, (all) => finding("write-relative", WHOLE_SET, { number: all })),
    list: () => [...numbers.values()].map(({ note, number }) => note(number)),
  };
}
