/** Whole documents opened: the same keys, in the same order, with the same values as fsspec makes of them. */
import { RefscopeError } from "#core/findings/finding.ts";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import type { MetadataEntry } from "#formats/kerchunk-json/index.ts";
import { referenceAt } from "../chunk/chunk-reference.ts";
import type { DocumentSet } from "../engine-set.ts";
import { CONTEXT } from "../fixtures/plain-table.ts";
import { openSet } from "./kerchunk-json/open-document.ts";
import { textDocument } from "../chunk/sources.ts";
import { indexTable } from "../table/table-index.ts";
import { viewRow } from "../table/rows.ts";

interface Spec {
  readonly id: string;
  /** JSON text of the document. */
  readonly spec: string;
  /** References that fsspec makes; absent if it raises. */
  readonly refs?: readonly (readonly [key: string, value: unknown])[];
  readonly flags?: readonly string[];
  readonly overrides?: Readonly<Record<string, string>>;
}

const file = new URL("../render/fixtures/recorded-documents.json", import.meta.url);
const { specs } = JSON.parse(readFileSync(file, "utf8")) as { readonly specs: readonly Spec[] };

const offline = { http: { fetch: () => Promise.reject(new Error("offline")), attempts: 1 } };

/** `undefined` where the document is not a reference set of Version 1. */
async function open({ spec, overrides = {} }: Spec): Promise<DocumentSet | undefined> {
  const options = { overrides: new Map(Object.entries(overrides)) };
  try {
    const opening = { locations: NO_LOCATIONS, network: offline, options, context: CONTEXT };
    const opened = await openSet(textDocument(spec, "x.json"), undefined, opening);
    return opened.kind === "set" && opened.set.format.version === 1 ? opened.set : undefined;
  } catch (error) {
    const noSet = ["not-a-reference-set", "not-json", "json-malformed", "json-truncated"];
    expect(noSet).toContain(error instanceof RefscopeError ? error.code : error);
    return undefined;
  }
}

function shown(set: DocumentSet): readonly (readonly [string, unknown])[] {
  const all: (readonly [string, unknown])[] = [];
  const index = indexTable(set.table);
  for (let row = 0; row <= set.table.rows; row += 1) {
    for (const entry of set.document.metadata) if (entry.row === row) all.push([entry.key, metadataValue(entry)]);
    if (row < set.table.rows) all.push([viewRow(index, { row }, 0, new Map()).key, rowValue(set, row)]);
  }
  return all;
}

const BAD = Symbol("bad");

function rowValue(set: DocumentSet, row: number): unknown {
  const { reference, written } = referenceAt(set, row);
  return reference.kind === "bad" ? BAD : (JSON.parse(written) as unknown);
}

function metadataValue({ value }: MetadataEntry): unknown {
  if (value.kind === "inline") return new TextDecoder().decode(value.bytes);
  if (value.kind === "whole") return [value.target];
  return value.kind === "range" ? [value.target, value.offset, value.length] : BAD;
}

it("the golden documents", async () => {
  const counts = { equal: 0, refused: 0, limited: 0, notVersion1: 0 };
  for (const spec of specs) {
    const set = await open(spec);
    if (set === undefined) counts.notVersion1 += 1;
    else if (spec.refs === undefined) {
      // Documents too large for Python stop at our limits; bad base64 is a finding on its own key.
      const limit = /^(?:gen-too-large|gen-too-much-text|inline-bad-base64)$/;
      const isLimited = set.findings.some(({ code, facts }) => limit.test(code) || facts["limit"] !== undefined);
      expect({ id: spec.id, shown: set.refused !== undefined || isLimited }).toEqual({ id: spec.id, shown: true });
      counts[set.refused === undefined ? "limited" : "refused"] += 1;
    } else if (spec.flags?.includes("lossless") !== true) {
      // A reference that cannot be read is there with its reason, not its value.
      const values = shown(set).map(([key, value], at) => [key, value === BAD ? spec.refs?.[at]?.[1] : value]);
      expect({ id: spec.id, refused: set.refused, values }).toEqual({
        id: spec.id,
        refused: undefined,
        values: spec.refs,
      });
      counts.equal += 1;
    }
  }
  expect(counts.equal).toBeGreaterThan(200);
  expect(counts.refused).toBeGreaterThan(130);
  expect(counts.limited).toBeLessThan(10);
});
