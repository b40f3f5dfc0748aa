/** Chunks whose bytes are text: a page that a server sent, or a pointer, in place of the file. */
import { groupedBy } from "#core/grouped.ts";
import { webPageIn, WEB_PAGE_HEAD } from "#core/check/web-page.ts";
import { NO_FILE, type ArrayFacts } from "../value-facts.ts";
import { explainSlots, ofChunks, slotsOfFile, type ValueRule, type ValuesView, withOthers } from "../value-rule.ts";

export const textForData: ValueRule = {
  id: "text-for-data",
  codes: ["values-are-text"],
  isOfDeclared: true,
  async ofSet(view, sink) {
    for (const [file, texts] of textsOf(view)) {
      const [first, ...others] = texts;
      if (first === undefined) continue;
      // All chunks of a file that is text; of what is no file those alone.
      for (const [facts, slots] of file === NO_FILE ? texts : []) explainSlots(facts, slots);
      for (const facts of file === NO_FILE ? [] : view.facts) explainSlots(facts, slotsOfFile(facts, file));
      const target = file === NO_FILE ? undefined : view.set.table.targets.text(file);
      const start = target === undefined ? undefined : await startOf(view, target);
      const page = start === undefined ? undefined : webPageIn(new TextEncoder().encode(start))?.words;
      const chunks = texts.reduce((sum, [, slots]) => sum + slots.length, 0);
      const found = ofChunks("values-are-text", ...first, { chunks, start: start?.slice(0, 80), page }, target);
      sink({ ...withOthers(found, others), count: chunks });
    }
  },
};

/** Chunks of each array whose bytes are text, by file. */
function textsOf({
  facts: all,
}: ValuesView): ReadonlyMap<number, readonly (readonly [ArrayFacts, readonly number[]])[]> {
  const files = new Map<number, (readonly [ArrayFacts, readonly number[]])[]>();
  for (const facts of all) {
    const slots = [...facts.isText.keys()].filter((slot) => facts.isText[slot] !== 0);
    for (const [file, own] of groupedBy(slots, (slot) => facts.files[slot] ?? NO_FILE))
      files.set(file, [...(files.get(file) ?? []), [facts, own]]);
  }
  return files;
}

/** How the file begins; nothing where that cannot be read, or is no text: the magic of a data file says the contrary. */
async function startOf({ set, context }: ValuesView, target: string): Promise<string | undefined> {
  const resolution = set.targets.resolve(target);
  if (resolution.kind === "unresolved") return undefined;
  for (const length of [WEB_PAGE_HEAD, 1024, 64]) {
    try {
      const { bytes } = await set.targets.read(resolution, { offset: 0, length }, context);
      return bytes.includes(0) ? undefined : new TextDecoder().decode(bytes);
    } catch {
      context.signal.throwIfAborted();
    }
  }
  return undefined;
}
