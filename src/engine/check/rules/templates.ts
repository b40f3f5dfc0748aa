/** Templates that nothing uses, gens that stop short of the grid, and what fsspec's default mode makes of both. */
import type { CallContext } from "#core/byte-source.ts";
import { gridOf } from "#core/metadata/chunk-grid.ts";
import { finding, type Finding, targetAt, WHOLE_SET } from "#core/findings/finding.ts";
import { startPace } from "#engine/pace.ts";
import { isDocument, type DocumentSet } from "#engine/engine-set.ts";
import { genParts, templateTexts, wordsInTags, type GenPart, type GenRange } from "../document-templates.ts";
import type { SetRule, SetView } from "#engine/rules/rule.ts";
import { markedChunks, ofMark, TargetMarks } from "../urls/target-places.ts";

/** URLs of which the text is looked at. */
const MAX_URLS = 1_000_000;

export const templates: SetRule = {
  id: "templates",
  codes: ["template-unused", "reader-refuses", "reader-drops-gen", "gen-range-short"],
  async run(view, sink, context) {
    const { set } = view;
    if (!isDocument(set) || set.document.version === 0) return { unit: "sets", of: 0, lookedAt: 0, sampled: 0 };
    const gens = await genParts(set.document);
    if (gens.length === 0 && templateTexts(set.document).size === 0)
      return { unit: "sets", of: 1, lookedAt: 1, sampled: 0 };
    if (gens.length > 0) sink(finding("reader-drops-gen", WHOLE_SET, {}));
    for (const found of shortRanges(view, gens)) sink(found);
    const urls = await urlsWithTags(set, context);
    for (const name of unusedTemplates(set, gens, urls))
      sink(finding("template-unused", WHOLE_SET, { name, inside: undefined }));
    for (const found of await refusedByDefault(view, set, urls, context)) sink(found);
    return { unit: "sets", of: 1, lookedAt: 1, sampled: 0 };
  },
};

/** URLs as written, by the ids of their targets. */
async function urlsWithTags({ table }: DocumentSet, context: CallContext): Promise<ReadonlyMap<string, number>> {
  const { targets } = table;
  const pace = startPace(context, "Looking at templates", targets.count);
  const urls = new Map<string, number>();
  for (let id = 0; id < Math.min(targets.count, MAX_URLS); id += 1) {
    const written = targets.written(id);
    if (written.includes("{{")) urls.set(written, id);
    if ((id & 0xff) === 0) await pace.yieldIfDue(id);
  }
  for (const { written } of table.bad.values()) if (written.includes("{{")) urls.set(written, -1);
  return urls;
}

function unusedTemplates(
  { document }: DocumentSet,
  gens: readonly GenPart[],
  urls: ReadonlyMap<string, number>,
): readonly string[] {
  const texts = templateTexts(document);
  const unused = new Set(texts.keys());
  const see = (text: string) => {
    for (const word of unused.size === 0 ? [] : wordsInTags(text)) unused.delete(word);
  };
  for (const text of texts.values()) see(text);
  for (const gen of gens) for (const text of gen.texts) see(text);
  for (const url of urls.keys()) see(url);
  for (const { written } of document.metadata) if (written !== undefined) see(written);
  return [...unused];
}

async function refusedByDefault(
  view: SetView,
  { document }: DocumentSet,
  urls: ReadonlyMap<string, number>,
  context: CallContext,
): Promise<readonly Finding[]> {
  if (urls.size === 0) return [];
  const { simpleRenderer } = await import("#engine/render/simple.ts");
  const simple = simpleRenderer({ templates: document.templates, gen: undefined });
  const marks = new TargetMarks(view.index.table.targets.count);
  const kinds = new Map<string, { readonly url: string; readonly mark: number }>();
  for (const [url, id] of urls) {
    const rendered = simple.url(url);
    if (rendered.kind === "url" || id < 0) continue;
    const kind = kinds.get(rendered.error) ?? { url, mark: kinds.size };
    kinds.set(rendered.error, kind);
    marks.mark(id, kind.mark);
    if (kinds.size >= MAX_KINDS) break;
  }
  if (kinds.size === 0) return [];
  const chunks = await markedChunks(view, marks, context);
  return [...kinds].map(([error, { url, mark }]) => {
    const { references, first } = ofMark(marks, chunks, mark);
    const places = first.map(({ chunk }) => ({ kind: "target", target: url, chunk }) as const);
    const found = finding("reader-refuses", places[0] ?? targetAt(url), { key: url, error }, Math.max(1, references));
    return places.length > 1 ? { ...found, places } : found;
  });
}

const MAX_KINDS = 20;

/** Gens whose ranges leave chunks out that nothing else makes. */
function shortRanges({ hierarchy, counts }: SetView, gens: readonly GenPart[]): readonly Finding[] {
  return gens.flatMap(({ index, array, axes }) => {
    const node = array === undefined ? undefined : hierarchy.nodes.get(array);
    if (array === undefined || node?.kind !== "array") return [];
    const grid = gridOf(node.metadata.shape, node.metadata.chunks);
    const missing = counts.arrays.get(array)?.states.missing ?? 0;
    // Other gens, or the references written out, may make the rest.
    if (axes.length !== grid.length || missing === 0) return [];
    return axes.flatMap((range, axis) => {
      const chunks = grid[axis] ?? 0;
      if (range === undefined || coversAxis(range, chunks) || !isOnlyGen(gens, array)) return [];
      const dimension = node.metadata.dimensionNames?.[axis] ?? axis;
      const facts = { ...range, last: range.first + range.step * (range.count - 1), chunks, dimension, missing };
      return [finding("gen-range-short", { kind: "gen", index, array }, facts)];
    });
  });
}

const coversAxis = ({ first, step, count }: GenRange, chunks: number): boolean =>
  first <= 0 && step === 1 && first + count >= chunks;

const isOnlyGen = (gens: readonly GenPart[], array: string): boolean =>
  gens.filter((one) => one.array === array).length === 1;
