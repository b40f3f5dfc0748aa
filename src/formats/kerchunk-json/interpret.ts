/** Interprets a scanned document: Version 0, Version 1, several sets, or something else; with all findings. */
import type { CallContext } from "#core/byte-source.ts";
import { webPageIn } from "#core/check/web-page.ts";
import { FindingLog } from "#core/findings/finding-log.ts";
import { type FactsOf, type Finding, finding, keyAt, targetAt, WHOLE_SET } from "#core/findings/finding.ts";
import type { SetChoice } from "#core/open-set.ts";
import type { ReferenceTable } from "#core/table/reference-table.ts";
import type { Version1Renderer } from "#core/table/version1.ts";
import type { ScannedDocument } from "./document.ts";
import { decodeText } from "./json-bytes.ts";
import type { RowOrigins } from "./origins.ts";
import { type MetadataEntry, referenceSet, type ReferenceSet } from "./reference-set.ts";
import { malformed } from "./reference-value.ts";
import { type RenderedSet, renderSet } from "./render-set.ts";
import type { Scanner } from "./scan-wasm.ts";
import { finishTable } from "./table.ts";

export interface MeaningOptions {
  /** Makes what renders the templates and gen of a Version 1 document; without it both are left as they are. */
  readonly rendering?: (texts: Version1Texts) => Version1Renderer | undefined | Promise<Version1Renderer | undefined>;
  /** The document is meant as a reference set, whatever it holds: one that is being written. */
  readonly meant?: boolean;
  readonly context: CallContext;
}

/** JSON texts as written. */
interface Version1Texts {
  readonly templates: string | undefined;
  readonly gen: string | undefined;
}

export async function describeDocument(
  scanned: ScannedDocument,
  makeScanner: () => Scanner,
  options: MeaningOptions,
): Promise<KerchunkRead> {
  if (scanned.top === "list") {
    if (scanned.embedded.length > 0) return choose(scanned);
    return { kind: "other", finding: notASetList(scanned.itemCount, scanned.pairCount) };
  }
  return isVersion1(scanned) ? version1(scanned, makeScanner, options) : version0(scanned, makeScanner, options.meant);
}

/** fsspec: `version` absent or null is Version 0. */
const isVersion1 = ({ version }: ScannedDocument): boolean => version !== undefined && version !== "null";

/** Python: 1 == 1.0 == True. */
const isOne = (version: string): boolean => /^\d/.test(version) && Number(version) === 1;

function choose(scanned: ScannedDocument): KerchunkRead {
  const choices: readonly SetChoice[] = scanned.embedded.map(({ id, label, detail }) => ({ id, label, detail }));
  const title = `The document holds ${choices.length} reference ${choices.length === 1 ? "set" : "sets"}`;
  return { kind: "choose", title, choices };
}

interface About {
  readonly version: 0 | 1;
  readonly otherMembers: readonly string[];
  readonly rendered: RenderedSet | undefined;
}

async function version1(
  scanned: ScannedDocument,
  makeScanner: () => Scanner,
  options: MeaningOptions,
): Promise<KerchunkRead> {
  const { version, refs, memberNames } = scanned;
  const findings = new FindingLog();
  if (refs === undefined && scanned.embedded.length > 0) return choose(scanned);
  if (refs === undefined && options.meant !== true && !looksLikeVersion1(scanned)) {
    return { kind: "other", finding: notASet({ names: ["version", ...memberNames], count: scanned.memberCount + 1 }) };
  }
  if (version !== "true" && !isOne(version ?? "")) {
    const facts = { version: (version ?? "").slice(0, 60), raises: "ValueError", step: "version" } as const;
    findings.add(finding("version-unknown", WHOLE_SET, facts));
  }
  if (memberNames.includes("refs"))
    findings.add(finding("refs-not-object", WHOLE_SET, { raises: "AttributeError", step: "refs" }));
  const others = memberNames.filter((name) => name !== "refs");
  if (others.length > 0) {
    const names = others.slice(0, 5).map((name) => name.slice(0, 60));
    findings.add(finding("member-unknown", WHOLE_SET, { names, members: scanned.memberCount }));
  }
  const set = refs ?? referenceSet(makeScanner());
  const { templates, gen } = scanned;
  const renderer = await options.rendering?.({ templates, gen });
  const rendered = renderer && (await renderSet(set, renderer, options.context));
  return {
    kind: "set",
    document: makeDocument(scanned, set, findings, { version: 1, otherMembers: others, rendered }),
  };
}

/** A version and nothing else of the specification may be any document. */
function looksLikeVersion1({ memberNames, templates, gen, memberCount }: ScannedDocument): boolean {
  return memberCount === 0 || memberNames.includes("refs") || templates !== undefined || gen !== undefined;
}

function version0(scanned: ScannedDocument, makeScanner: () => Scanner, meant = false): KerchunkRead {
  const { members, refs, memberNames, memberCount } = scanned;
  const isSet = members !== undefined && (members.metadata.size > 0 || members.lists() > 0);
  if (!isSet && !meant && refs === undefined) {
    if (scanned.embedded.length > 0) return choose(scanned);
    if (memberCount > 0 || scanned.templates !== undefined) {
      return { kind: "other", finding: notASet({ names: memberNames, count: memberCount }) };
    }
  }
  const findings = new FindingLog();
  const set = members ?? referenceSet(makeScanner());
  if (refs !== undefined) {
    const found = finding("version-missing", keyAt("refs"), {});
    findings.add(found);
    set.addBad("refs", { kind: "bad", found }, "{…}");
  }
  for (const name of ["version", "templates", "gen"] as const) {
    const written = scanned[name];
    if (written !== undefined)
      set.addBad(name, malformed(`“${name}”, a key like any other without a version number`), written.slice(0, 500));
  }
  for (const { id, label } of scanned.embedded) {
    set.addBad(id, malformed("a reference set itself, to be opened on its own"), label);
  }
  const about = { version: 0, otherMembers: [], rendered: undefined } as const;
  return { kind: "set", document: makeDocument(scanned, set, findings, about) };
}

function makeDocument(
  scanned: ScannedDocument,
  set: ReferenceSet,
  findings: FindingLog,
  about: About,
): KerchunkDocument {
  const { version, rendered } = about;
  const finished = finishTable(set, rendered);
  findings.addAll(scanned.findings.list());
  findings.addAll(textFindings(scanned));
  findings.addAll(rendered?.renderer.findings() ?? []);
  findings.addAll(rendered?.findings ?? []);
  const { invalidUtf8: text } = finished.targets;
  if (text !== undefined) findings.add(finding("not-utf-8", targetAt(text), { text }));
  findings.addAll(set.findings.list());
  findings.addAll(finished.findings);
  const { table, origins } = finished;
  const keys = table.rows + set.metadata.size;
  if (keys === 0) findings.add(finding("set-empty", WHOLE_SET, {}));
  return {
    version,
    table,
    origins,
    renderer: rendered?.renderer,
    metadata: [...set.metadata.values()].map((entry) => ({ ...entry, row: finished.newRow(entry.row) })),
    templates: version === 1 ? scanned.templates : undefined,
    gen: version === 1 ? scanned.gen : undefined,
    otherMembers: about.otherMembers,
    documentBytes: scanned.bytes,
    findings: findings.list(),
    keys,
  };
}

function textFindings({ notes }: ScannedDocument): readonly Finding[] {
  const { notFinite, trailingCommas } = notes;
  return [
    ...(notFinite > 0 ? [finding("json-not-finite", WHOLE_SET, {}, notFinite)] : []),
    ...(trailingCommas > 0 ? [finding("json-trailing-comma", WHOLE_SET, {}, trailingCommas)] : []),
  ];
}

// A Kerchunk JSON document as read, and what else a document may turn out to be.

/** All there is to write of a set. */
export interface WriteSource {
  readonly version: 0 | 1;
  readonly table: ReferenceTable;
  /** Origins of the rows. */
  readonly origins: RowOrigins;
  /** The renderer of templates and gen: tells which gen made a row, from which values. */
  readonly renderer: Version1Renderer | undefined;
  /** Metadata in the order of the document, with rows of this table. */
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

// Names the format of a document that is not a reference set.

const MAGIC: readonly (readonly [bytes: readonly number[], name: FactsOf<"not-json">["magic"]])[] = [
  [[0x1f, 0x8b], "gzip"],
  [[0x28, 0xb5, 0x2f, 0xfd], "zstd"],
  [[0x50, 0x4b, 0x03, 0x04], "zip"],
  [[0x50, 0x41, 0x52, 0x31], "parquet"],
  [[0x89, 0x48, 0x44, 0x46], "hdf5"],
  [[0x43, 0x44, 0x46], "netcdf3"],
  [[0x47, 0x52, 0x49, 0x42], "grib"],
  [[0x49, 0x49, 0x2a, 0x00], "tiff"],
  [[0x4d, 0x4d, 0x00, 0x2a], "tiff"],
  [[0x89, 0x50, 0x4e, 0x47], "png"],
  [[0xff, 0xd8, 0xff], "jpeg"],
  [[0x25, 0x50, 0x44, 0x46], "pdf"],
];

/** For data whose first character is neither "{" nor "[". `head`: the first bytes, all of them if few. */
export function notJson(head: Uint8Array): Finding {
  const text = decodeText(head)
    .text.replace(/^\ufeff/, "")
    .trimStart();
  if (text === "" && head.every((byte) => byte < 128)) return finding("document-empty", WHOLE_SET, {});
  const magic = MAGIC.find(([bytes]) => bytes.every((byte, at) => head[at] === byte))?.[1];
  if (magic !== undefined) return finding("not-json", WHOLE_SET, { magic });
  const page = webPageIn(head);
  if (page !== undefined) return finding("web-page", WHOLE_SET, { words: page.words });
  return finding("not-json", WHOLE_SET, { head: text.slice(0, text.startsWith("<") ? 120 : 40) });
}

type Kind = FactsOf<"not-a-reference-set">["kind"];

function notASet({ names, count }: { readonly names: readonly string[]; readonly count: number }): Finding {
  const all = new Set(names);
  const known = KINDS.find(([members]) => members.every((name) => all.has(name)))?.[1];
  const chunkLike = names.length > 0 && names.every((name) => /^(?:c[/.])?\d+(?:[./]\d+)*$/.test(name));
  const kind = known ?? (chunkLike ? "chunk-manifest" : undefined);
  if (kind !== undefined) return finding("not-a-reference-set", WHOLE_SET, { kind });
  const few = names.slice(0, 5).map((name) => name.slice(0, 60));
  return finding("not-a-reference-set", WHOLE_SET, { names: few, members: count });
}

const KINDS: readonly (readonly [members: readonly string[], kind: Kind])[] = [
  [["stac_version"], "stac"],
  [["zarr_format", "node_type"], "zarr-v3"],
  [["zarr_format", "shape", "chunks"], "zarray"],
  [["zarr_consolidated_format", "metadata"], "zmetadata"],
  [["zarr_format"], "zgroup"],
  [["record_size", "metadata"], "parquet-zmetadata"],
  [["type", "features"], "geojson"],
  [["type", "geometry"], "geojson"],
  [["snapshot"], "icechunk-snapshot"],
  [["_ARRAY_DIMENSIONS"], "zattrs"],
];

function notASetList(items: number, pairs: number): Finding {
  const kind = items === 0 ? "empty-list" : pairs === items ? "pairs" : undefined;
  return finding("not-a-reference-set", WHOLE_SET, kind === undefined ? { items } : { kind });
}
