/** A Kerchunk JSON document as read, and what else a document may turn out to be. */
import type { Finding } from "../../core/findings/finding.ts";
import type { SetChoice } from "../../core/open-set.ts";
import type { ReferenceTable } from "../../core/table/reference-table.ts";
import type { Version1Renderer } from "../../core/table/version1.ts";
import type { RowOrigins } from "./origins.ts";
import type { MetadataEntry } from "./reference-set.ts";

/** All there is to write of a set. */
export interface WriteSource {
  readonly version: 0 | 1;
  readonly table: ReferenceTable;
  /** Where the rows come from. */
  readonly origins: RowOrigins;
  /** What rendered templates and gen: says which gen made a row, from which values. */
  readonly renderer: Version1Renderer | undefined;
  /** In the order of the document, with rows of this table. */
  readonly metadata: readonly MetadataEntry[];
  /** JSON text as written. */
  readonly templates: string | undefined;
  readonly gen: string | undefined;
}

export interface KerchunkDocument extends WriteSource {
  /** Members of the top level that a Version 1 document has besides those of the specification. */
  readonly otherMembers: readonly string[];
  readonly documentBytes: number;
  /** The text, where it was to be kept and is UTF-8; of a set inside another document that set's own. */
  readonly text?: string;
  readonly findings: readonly Finding[];
  /** Distinct reference keys, metadata included, as Python's dict counts them. */
  readonly keys: number;
}

export type KerchunkRead =
  | { readonly kind: "set"; readonly document: KerchunkDocument }
  /** Several sets in one document: read again with the id of one. */
  | { readonly kind: "choose"; readonly title: string; readonly choices: readonly SetChoice[] }
  /** No reference set: what it is instead. */
  | { readonly kind: "other"; readonly finding: Finding };
