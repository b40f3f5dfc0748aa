/** Previews replacing the beginning of URLs: renders the document with it, and compares the targets. */
import type { CallContext } from "#core/byte-source.ts";
import { failure, WHOLE_SET } from "#core/findings/finding.ts";
import { BLOCK_ROWS, FIRST_SPECIAL_TARGET, type ReferenceTable } from "#core/table/reference-table.ts";
import type { PrefixClash, PrefixPreview, PrefixPreviewRequest } from "#core/studio.ts";
import { normalFolder } from "#core/urls/url-parts.ts";
import type { DocumentSet } from "../engine-set.ts";
import type { Network } from "../chunk/sources.ts";
import { startPace, type Pace } from "../pace.ts";
import { eachBlock } from "../table/array-index.ts";
import { openDraft } from "./draft.ts";
import { isWhole } from "./reduced.ts";
import { applyTextEdits, textEdits } from "./text-edits.ts";

/**
 * @throws RefscopeError `json-invalid` where the text is not JSON, `edited-meanwhile` where it does not give `shown`
 */
export async function previewPrefix(
  base: DocumentSet,
  shown: DocumentSet,
  request: PrefixPreviewRequest,
  network: Network,
  context: CallContext,
): Promise<PrefixPreview> {
  const { text, edits, from, to } = request;
  const edit = { kind: "replace-prefix", from, to } as const;
  const places = textEdits(text, edit);
  const edited = {
    ...request,
    text: applyTextEdits(text, places),
    edits: isWhole(base) ? edits : [...edits, edit],
  };
  const { set } = await openDraft(base, edited, network, context);
  if (set === undefined || set.table.rows !== shown.table.rows) throw failure("edited-meanwhile", WHOLE_SET, {});
  return { places: places.length, ...(await compareTargets(shown.table, set.table, context)) };
}

/** A target that would have another URL. */
interface Moved {
  readonly before: string;
  readonly after: string;
  references: number;
}

const MAX_EXAMPLES = 8;

async function compareTargets(
  before: ReferenceTable,
  after: ReferenceTable,
  context: CallContext,
): Promise<Omit<PrefixPreview, "places">> {
  const pace = startPace(context, "Comparing targets", before.rows);
  const { moved, staying } = await movedTargets(before, after, pace);
  const targets = new Set(moved.map((one) => one.before));
  const seen = new Map<string, string>();
  const merged = clashes(moved, ({ before: url, after: next }) => {
    const first = seen.get(next);
    seen.set(next, first ?? url);
    return staying.has(next) ? next : first;
  });
  const spelled = await normalSpellings(staying, pace);
  const respelled = clashes(moved, ({ after: next }) => {
    const there = staying.has(next) ? undefined : spelled.get(normalFolder(next));
    return there === next ? undefined : there;
  });
  return {
    targets: targets.size,
    ofTargets: new Set([...targets, ...staying]).size,
    references: moved.reduce((sum, { references }) => sum + references, 0),
    examples: moved.slice(0, MAX_EXAMPLES),
    merged,
    respelled,
  };
}

/** Rows are in the same order: only URLs were edited. */
async function movedTargets(before: ReferenceTable, after: ReferenceTable, pace: Pace) {
  /** Moves by both ids; `null` if the URL stays. */
  const pairs = new Map<number, Moved | null>();
  const staying = new Set<string>();
  const pairOf = (one: number, other: number): Moved | null => {
    const [url, next] = [before.targets.text(one), after.targets.text(other)];
    if (url !== next) return { before: url, after: next, references: 0 };
    staying.add(url);
    return null;
  };
  await eachBlock(before, pace, ({ target }, first, count) => {
    const now = after.blocks[first / BLOCK_ROWS]?.target ?? target;
    for (let i = 0; i < count; i += 1) {
      const [one, other] = [target[i] as number, now[i] as number];
      if (one >= FIRST_SPECIAL_TARGET || other >= FIRST_SPECIAL_TARGET) continue;
      // Ids of tables that can be edited: both fit one number.
      const key = one * 2 ** 26 + other;
      const known = pairs.get(key);
      const pair = known === undefined ? pairOf(one, other) : known;
      if (known === undefined) pairs.set(key, pair);
      if (pair !== null) pair.references += 1;
    }
  });
  return { moved: [...pairs.values()].filter((pair) => pair !== null), staying };
}

async function normalSpellings(urls: ReadonlySet<string>, pace: Pace): Promise<ReadonlyMap<string, string>> {
  const spelled = new Map<string, string>();
  for (const url of urls) {
    spelled.set(normalFolder(url), url);
    if (spelled.size % 1024 === 0) await pace.yieldIfDue(0);
  }
  return spelled;
}

function clashes(moved: readonly Moved[], thereOf: (one: Moved) => string | undefined): PrefixClash {
  const examples: { readonly after: string; readonly there: string }[] = [];
  let targets = 0;
  for (const one of moved) {
    const there = thereOf(one);
    if (there === undefined) continue;
    targets += 1;
    if (examples.length < MAX_EXAMPLES) examples.push({ after: one.after, there });
  }
  return { targets, examples };
}
