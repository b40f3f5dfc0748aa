/** The dictionary of target URLs, from the raw JSON texts that the scanner told apart. */
import { FIRST_SPECIAL_TARGET, type ColumnBlock, type TargetDictionary } from "../../core/reference-table.ts";
import { eachBlock } from "./columns.ts";
import { decodeString } from "./json-bytes.ts";
import type { RawTargets } from "./scanner.ts";

export interface TargetFacts {
  readonly dictionary: TargetDictionary;
  /** First target that contains "{{", and how many do. */
  readonly templated: { readonly target: string; readonly count: number } | undefined;
  readonly invalidUtf8: string | undefined;
  /** Bytes held beside the scanner's pool. */
  readonly byteLength: number;
}

/** Each URL once: where one is spelled in two ways ("a/b" and "a\/b"), the columns are made to use one id. */
export function targetDictionary(raw: RawTargets, blocks: readonly ColumnBlock[], rows: number): TargetFacts {
  const spelling = spellings(raw);
  const text = (id: number): string => decodeString(raw.raw(id)).text;
  const facts = {
    templated:
      spelling.templates === 0 ? undefined : { target: text(spelling.firstTemplate), count: spelling.templates },
    invalidUtf8: spelling.invalidUtf8,
  };
  if (!spelling.mixed) return { ...facts, dictionary: { count: raw.count, text }, byteLength: 0 };
  const merged = merge(raw.count, text);
  if (merged.texts.length === raw.count) return { ...facts, dictionary: { count: raw.count, text }, byteLength: 0 };
  eachBlock(blocks, rows, ({ target }, _firstRow, used) => {
    for (let i = 0; i < used; i += 1) {
      const id = target[i] ?? 0;
      if (id < FIRST_SPECIAL_TARGET) target[i] = merged.ids[id] ?? id;
    }
  });
  const { texts } = merged;
  return {
    ...facts,
    dictionary: { count: texts.length, text: (id) => texts[id] ?? "" },
    byteLength: texts.reduce((sum, one) => sum + 2 * one.length + 16, 0),
  };
}

interface Spellings {
  /** Whether one URL may have been written in two ways. */
  readonly mixed: boolean;
  readonly templates: number;
  readonly firstTemplate: number;
  readonly invalidUtf8: string | undefined;
}

const PLAIN_SLASH = 1;
const ESCAPED_SLASH = 2;
const OTHER_ESCAPE = 4;
const NOT_ASCII = 8;
const BRACES = 16;

function spellings(raw: RawTargets): Spellings {
  let all = 0;
  let [templates, firstTemplate] = [0, 0];
  let invalidUtf8: string | undefined;
  raw.forEach((bytes, from, to, id) => {
    const flags = spellingOf(bytes, from, to);
    all |= flags;
    if ((flags & BRACES) !== 0 && templates++ === 0) firstTemplate = id;
    if ((flags & NOT_ASCII) === 0 || invalidUtf8 !== undefined) return;
    const { text, valid } = decodeString(bytes.subarray(from, to));
    if (!valid) invalidUtf8 = text;
  });
  const both = PLAIN_SLASH | ESCAPED_SLASH;
  return { mixed: (all & OTHER_ESCAPE) !== 0 || (all & both) === both, templates, firstTemplate, invalidUtf8 };
}

/** What occurs in one URL's raw text, as flags. */
function spellingOf(bytes: Uint8Array, from: number, to: number): number {
  let flags = 0;
  for (let i = from; i < to; i += 1) {
    const c = bytes[i] as number;
    if (c === 47) flags |= PLAIN_SLASH;
    else if (c === 92) {
      i += 1;
      flags |= bytes[i] === 47 ? ESCAPED_SLASH : OTHER_ESCAPE;
    } else if (c === 123) flags |= bytes[i + 1] === 123 ? BRACES : 0;
    else if (c > 127) flags |= NOT_ASCII;
  }
  return flags;
}

function merge(count: number, text: (id: number) => string): { ids: Uint32Array; texts: readonly string[] } {
  const ids = new Uint32Array(count);
  const texts: string[] = [];
  const byText = new Map<string, number>();
  for (let id = 0; id < count; id += 1) {
    const one = text(id);
    const known = byText.get(one);
    ids[id] = known ?? texts.length;
    if (known === undefined) byText.set(one, texts.push(one) - 1);
  }
  return { ids, texts };
}
