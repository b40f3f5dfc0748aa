/** The dictionary of target URLs, from the raw JSON texts that the scanner distinguished. */
import { FIRST_SPECIAL_TARGET, type ColumnBlock, type TargetDictionary } from "../../core/reference-table.ts";
import { eachBlock } from "./columns.ts";
import { decodeString } from "./json-bytes.ts";
import type { RenderedTargets } from "./render-targets.ts";
import type { RawTargets } from "./scanner.ts";
import { ESCAPED_SLASH, NOT_ASCII, OTHER_ESCAPE, PLAIN_SLASH, spellingOf } from "./target-spelling.ts";

export interface TargetFacts {
  readonly dictionary: TargetDictionary;
  readonly invalidUtf8: string | undefined;
  /** Bytes held beside the scanner's pool. */
  readonly byteLength: number;
}

/** What rendering made of the targets: absent for documents without templates and gen. */
export interface Rendering {
  readonly targets: RenderedTargets;
  /** First row that `gen` made. */
  readonly genFrom: number;
}

/**
 * Each URL once: where one is spelled in two ways ("a/b" and "a\/b"), the columns are made to use one id. Ids are those of
 * the URLs as written; of rendered ones the text is another's.
 */
export function targetDictionary(
  raw: RawTargets,
  blocks: readonly ColumnBlock[],
  rows: number,
  rendering?: Rendering,
): TargetFacts {
  const spelling = spellings(raw);
  const { invalidUtf8 } = spelling;
  const decoded = (id: number): string => decodeString(raw.raw(id)).text;
  const dictionary = rendering === undefined ? plain(raw, decoded) : rendered(raw, blocks, rows, rendering);
  if (!spelling.mixed) return { invalidUtf8, dictionary, byteLength: 0 };
  const merged = merge(dictionary);
  if (merged.ids === undefined) return { invalidUtf8, dictionary, byteLength: 0 };
  useIds(blocks, rows, merged.ids);
  const byteLength = merged.texts.reduce((sum, one) => sum + 2 * one.length + 16, 0);
  return { invalidUtf8, dictionary: merged.dictionary, byteLength };
}

const plain = (raw: RawTargets, text: (id: number) => string): TargetDictionary => ({
  count: raw.count,
  text,
  written: text,
  raw: (id) => raw.raw(id),
});

/**
 * The ids of `refs` are those of written URLs. A row of `gen` has the id of its very text, which may be that of a URL in
 * `refs` that stands for another text: such a row gets a new id. Where it is what one in `refs` was rendered to, it
 * gets the id of that one.
 */
function rendered(
  raw: RawTargets,
  blocks: readonly ColumnBlock[],
  rows: number,
  { targets: { texts, before, after }, genFrom }: Rendering,
): TargetDictionary {
  const decoded = (id: number): string => decodeString(raw.raw(id)).text;
  const literals: number[] = [];
  if (texts.size > 0 && genFrom < rows) {
    const ids = new Map<number, number>();
    for (const [written, text] of texts) if (text >= before) ids.set(text, written);
    eachBlock(blocks, rows, ({ target }, firstRow, used) => {
      for (let i = Math.max(0, genFrom - firstRow); i < used; i += 1) {
        const id = target[i] as number;
        if (id >= after) continue;
        if (texts.has(id) && !ids.has(id)) ids.set(id, raw.count + literals.push(id) - 1);
        target[i] = ids.get(id) ?? id;
      }
    });
  }
  const rawId = (id: number): number => literals[id - raw.count] ?? id;
  const textId = (id: number): number => (id < raw.count ? (texts.get(id) ?? id) : rawId(id));
  return {
    count: raw.count + literals.length,
    text: (id) => decoded(textId(id)),
    written: (id) => decoded(rawId(id)),
    raw: (id) => raw.raw(textId(id)),
  };
}

function useIds(blocks: readonly ColumnBlock[], rows: number, ids: Uint32Array): void {
  eachBlock(blocks, rows, ({ target }, _firstRow, used) => {
    for (let i = 0; i < used; i += 1) {
      const id = target[i] ?? 0;
      if (id < FIRST_SPECIAL_TARGET) target[i] = ids[id] ?? id;
    }
  });
}

interface Spellings {
  /** Whether one URL may have been written in two ways. */
  readonly mixed: boolean;
  readonly invalidUtf8: string | undefined;
}

function spellings(raw: RawTargets): Spellings {
  let all = 0;
  let invalidUtf8: string | undefined;
  raw.forEach((bytes, from, to) => {
    const flags = spellingOf(bytes, from, to);
    all |= flags;
    if ((flags & NOT_ASCII) === 0 || invalidUtf8 !== undefined) return;
    const { text, valid } = decodeString(bytes.subarray(from, to));
    if (!valid) invalidUtf8 = text;
  });
  const both = PLAIN_SLASH | ESCAPED_SLASH;
  return { mixed: (all & OTHER_ESCAPE) !== 0 || (all & both) === both, invalidUtf8 };
}

/** One id for what is the same, as written and as rendered; `ids` is absent where nothing is. */
function merge(dictionary: TargetDictionary) {
  const { count } = dictionary;
  const ids = new Uint32Array(count);
  const texts: string[] = [];
  const origins = new Map<number, string>();
  const known = new Map<string, number>();
  const knownRendered = new Map<string, number>();
  for (let id = 0; id < count; id += 1) {
    const [one, origin] = [dictionary.text(id), dictionary.written(id)];
    const names = one === origin ? known : knownRendered;
    const name = one === origin ? one : `${one.length} ${one}${origin}`;
    const at = names.get(name) ?? texts.push(one) - 1;
    ids[id] = at;
    names.set(name, at);
    if (one !== origin) origins.set(at, origin);
  }
  const merged: TargetDictionary = {
    count: texts.length,
    text: (id) => texts[id] ?? "",
    written: (id) => origins.get(id) ?? texts[id] ?? "",
  };
  return { ids: texts.length === count ? undefined : ids, texts, dictionary: merged };
}
