/**
 * What fsspec does with the values of `refs` once a Version 1 document has any template (implementations/reference.py,
 * `_process_references1`): it takes the first item of every list for a URL and looks into it, and rebuilds the list from
 * its first three items. Values that do not bear that make it refuse the whole document.
 */
import type { Finding } from "../../core/finding.ts";
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
  const findings = new Map<string, Finding>();
  const note = (finding: Finding | undefined) => {
    const known = finding && findings.get(finding.message);
    if (finding !== undefined) findings.set(finding.message, { ...finding, count: (known?.count ?? 0) + 1 });
  };
  for (const [row, bad] of set.bad) {
    note(refusalOf(bad));
    const range = cutList(bad);
    if (range !== undefined) replaceRow(set, row, range);
  }
  const nulls = countNulls(set);
  if (nulls > 0) note({ ...NULL_URL, count: nulls });
  for (const [key, entry] of set.metadata) {
    const { value } = entry;
    if (value.kind === "bad") {
      note(refusalOf(value, key));
      const range = cutList(value);
      if (range !== undefined)
        set.metadata.set(key, { ...entry, value: asReference(valueOf(range), range, 0, range.length) });
    } else if ((value.kind === "whole" || value.kind === "range") && value.target === null) note(NULL_URL);
  }
  return [...findings.values()];
}

/** fsspec raises on the document, and opens nothing of it. */
function refused(message: string, key?: string): Finding {
  const finding: Finding = { code: "reference-refused", severity: "error", message };
  return key === undefined ? finding : { ...finding, key };
}

const NULL_URL = refused("TypeError: a reference has null for a URL, in which no template can be looked for.");

function refusalOf({ written }: BadReference, key?: string): Finding | undefined {
  if (/^(?:null|true|false|-?\d)/.test(written)) {
    return refused(`TypeError: the value ${written.slice(0, 60)} has no first item that could be a URL.`, key);
  }
  const items = listItems(written);
  if (items === undefined) return undefined;
  const [url, , length] = items;
  if (url === undefined) return refused("IndexError: an empty list has no first item that could be a URL.", key);
  if (/^(?:null|true|false|-?\d)/.test(url)) {
    return refused(`TypeError: the first item of the list, ${url.slice(0, 60)}, is no text in which “{{” can be.`, key);
  }
  if (items.length === 2 && length === undefined) {
    return refused("IndexError: the list has two items, where one or three are expected.", key);
  }
  return undefined;
}

/** The first three items of a longer list, as JSON text: what fsspec makes of it. */
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
