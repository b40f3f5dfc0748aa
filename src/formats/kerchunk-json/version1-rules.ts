/**
 * What fsspec does with the values of `refs` once a Version 1 document has any template (implementations/reference.py,
 * `_process_references1`): it takes the first item of every list for a URL and looks into it, and rebuilds the list from
 * its first three items. Values for which that fails make it refuse the whole document.
 */
import { type FactsOf, finding, type Finding } from "../../core/findings/finding.ts";
import { FindingLog } from "../../core/findings/finding-log.ts";
import { keyAt, WHOLE_SET } from "../../core/findings/place.ts";
import { LENGTH_BIG, TARGET_NULL, type BadReference } from "../../core/reference-table.ts";
import type { Version1Renderer } from "../../core/version1.ts";
import { blockOf, eachBlock, placeOf } from "./columns.ts";
import { itemsOf } from "./json-bytes.ts";
import type { ReferenceSet } from "./reference-set.ts";
import { referenceValue } from "./reference-value.ts";
import { asReference, columnsOf } from "./value-columns.ts";

const encoder = new TextEncoder();

/** Corrects what is kept of the values, and says what fsspec raises on some, the first of each kind. */
export function applyTemplateRules(set: ReferenceSet, renderer: Version1Renderer): readonly Finding[] {
  if (!renderer.hasTemplates) return [];
  const findings = new FindingLog();
  const note = (refused: Refused | undefined, place = WHOLE_SET, count = 1) => {
    if (refused !== undefined) findings.add(finding("reference-refused", place, refused, count));
  };
  for (const [row, bad] of set.bad) {
    note(refusalOf(bad));
    const range = cutList(bad);
    if (range !== undefined) replaceRow(set, row, range);
  }
  const nulls = countNulls(set);
  if (nulls > 0) note(NULL_URL, WHOLE_SET, nulls);
  for (const [key, entry] of set.metadata) {
    const { value } = entry;
    if (value.kind === "bad") {
      note(refusalOf(value), keyAt(key));
      const range = cutList(value);
      if (range !== undefined)
        set.metadata.set(key, { ...entry, value: asReference(valueOf(range), range, 0, range.length) });
    } else if ((value.kind === "whole" || value.kind === "range") && value.target === null) note(NULL_URL, keyAt(key));
  }
  return findings.list();
}

type Refused = FactsOf<"reference-refused">;

/** fsspec raises on the document, and opens nothing of it. */
function refused(problem: Refused["problem"], text: string): Refused {
  const raises = problem === "empty-list" || problem === "two-items" ? "IndexError" : "TypeError";
  return { problem, written: text.slice(0, 60), raises, step: "lists" };
}

const NULL_URL = refused("null-url", "null");

function refusalOf({ written }: BadReference): Refused | undefined {
  if (/^(?:null|true|false|-?\d)/.test(written)) return refused("no-first-item", written);
  const items = listItems(written);
  if (items === undefined) return undefined;
  const [url] = items;
  if (url === undefined) return refused("empty-list", written);
  if (/^(?:null|true|false|-?\d)/.test(url)) return refused("first-item-not-text", url);
  return items.length === 2 ? refused("two-items", written) : undefined;
}

/** The first three items of a longer list, as JSON text, which fsspec uses. */
function cutList({ written }: BadReference): Uint8Array | undefined {
  const items = listItems(written);
  if (items === undefined || items.length <= 3) return undefined;
  return encoder.encode(`[${items.slice(0, 3).join(",")}]`);
}

/** JSON texts of a list's items; `undefined` for other values, and for lists so long that they were cut. */
function listItems(written: string): readonly string[] | undefined {
  if (!written.startsWith("[") || !written.endsWith("]")) return undefined;
  try {
    JSON.parse(written);
  } catch {
    return undefined;
  }
  const bytes = encoder.encode(written);
  const decoder = new TextDecoder();
  return itemsOf(bytes, 0, bytes.length).map(([from, to]) => decoder.decode(bytes.subarray(from, to)));
}

const valueOf = (range: Uint8Array) => referenceValue(range, 0, range.length);

function replaceRow(set: ReferenceSet, row: number, range: Uint8Array): void {
  const value = valueOf(range);
  if (value.kind === "bad") return;
  const { target, offset, length } = columnsOf(set.scanner, value);
  const block = blockOf(set.scanner.output().blocks, row);
  [block.target[placeOf(row)], block.offset[placeOf(row)], block.length[placeOf(row)]] = [target, offset, length];
  if (value.kind === "range" && length === LENGTH_BIG) set.bigLengths.set(row, value.length);
  set.bad.delete(row);
}

function countNulls({ scanner }: ReferenceSet): number {
  const { blocks, rows } = scanner.output();
  let count = 0;
  eachBlock(blocks, rows, ({ target }, _firstRow, used) => {
    for (let i = 0; i < used; i += 1) if (target[i] === TARGET_NULL) count += 1;
  });
  return count;
}
