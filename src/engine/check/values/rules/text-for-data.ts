/** Chunks whose bytes are text: a page that a server sent, or a pointer, in place of the file. */
import { finding } from "../../../../core/findings/finding.ts";
import { webPageIn, WEB_PAGE_HEAD } from "../../../../core/check/web-page.ts";
import { NO_FILE, type ArrayFacts } from "../value-facts.ts";
import { placeAt, targetPlace, withChunks, type ValueRule, type ValuesView, explainSlots } from "../value-rule.ts";

export const textForData: ValueRule = {
  id: "text-for-data",
  codes: ["values-are-text"],
  async run(view, ledger, sink) {
    for (const [file, slots] of textsOf(view)) {
      const [first] = slots;
      if (first === undefined) continue;
      const own = slots.filter(({ facts }) => facts === first.facts).map(({ slot }) => slot);
      for (const facts of view.facts) explainSlots(ledger, facts, slotsIn(facts, file, slots));
      const target = file === NO_FILE ? undefined : view.set.table.targets.text(file);
      const place =
        target === undefined ? placeAt(first.facts, first.slot) : targetPlace(target, first.facts, first.slot);
      const start = target === undefined ? "" : await startOf(view, target);
      const page = webPageIn(new TextEncoder().encode(start))?.words;
      const others = slots.filter(({ facts }) => facts !== first.facts).map(({ facts, slot }) => placeAt(facts, slot));
      const found = withChunks(
        finding("values-are-text", place, { chunks: slots.length, start: start.slice(0, 80), page }),
        first.facts,
        own,
      );
      sink({ ...found, count: slots.length, places: [...(found.places ?? []), ...others].slice(0, 100) });
    }
  },
};

interface Slot {
  readonly facts: ArrayFacts;
  readonly slot: number;
}

function textsOf({ facts: all }: ValuesView): ReadonlyMap<number, readonly Slot[]> {
  const files = new Map<number, Slot[]>();
  for (const facts of all) {
    for (const [slot, isText] of facts.isText.entries()) {
      if (isText === 0) continue;
      const file = facts.files[slot] ?? NO_FILE;
      const own = files.get(file) ?? [];
      files.set(file, own);
      own.push({ facts, slot });
    }
  }
  return files;
}

/** All chunks of a file that is text; of what is no file those alone. */
function slotsIn(facts: ArrayFacts, file: number, texts: readonly Slot[]): readonly number[] {
  if (file === NO_FILE) return texts.filter((one) => one.facts === facts).map(({ slot }) => slot);
  return [...facts.files.keys()].filter((slot) => facts.files[slot] === file);
}

/** How the file begins; nothing where that cannot be read. */
async function startOf({ set, context }: ValuesView, target: string): Promise<string> {
  const resolution = set.targets.resolve(target);
  if (resolution.kind === "unresolved") return "";
  for (const length of [WEB_PAGE_HEAD, 1024, 64]) {
    try {
      const { bytes } = await set.targets.read(resolution, { offset: 0, length }, context);
      return new TextDecoder().decode(bytes);
    } catch {
      context.signal.throwIfAborted();
    }
  }
  return "";
}
