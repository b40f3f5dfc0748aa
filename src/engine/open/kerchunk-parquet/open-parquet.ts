/** Opens a folder of Kerchunk Parquet. A record alone is opened by `open-record.ts`. */
import { decodeSnappy } from "#codecs/blosc/snappy.ts";
import type { ChunkOutline } from "#codecs/codec.ts";
import { loadCodec } from "#codecs/find-codec.ts";
import { decodeLz4Block } from "#codecs/lz/lz4-block.ts";
import { decodeHadoopLz4 } from "#codecs/lz/lz4-hadoop.ts";
import { buildHierarchy } from "#core/metadata/build-hierarchy.ts";
import type { CallContext } from "#core/byte-source.ts";
import { gridOf } from "#core/metadata/chunk-grid.ts";
import { NO_CODECS } from "#core/metadata/codec-table.ts";
import { failure, finding, keyAt, targetAt, type FactsOf } from "#core/findings/finding.ts";
import type { ArrayNode } from "#core/metadata/array-metadata.ts";
import type { Recognition } from "#core/open-set.ts";
import type { ReferencePages } from "#core/table/reference-pages.ts";
import { decodeInline } from "#formats/kerchunk-json/index.ts";
import {
  type Decompress,
  type Decompressors,
  describeRecord,
  detectParquetMetadata,
  parseRecordKey,
  readParquetMetadata,
  type RecordFooter,
  recordPages,
  type RecordSet,
  type RecordPlace,
} from "#formats/kerchunk-parquet/index.ts";
import type { Store } from "#io/store.ts";
import type { EngineSet } from "#engine/engine-set.ts";
import { growingTable, type GrowingTable, makeSet, partsOf } from "../set.ts";
import type { Folder, Opening } from "../driver.ts";
import { type DocumentSource, targetReader } from "#engine/chunk/sources.ts";
import { type StoreContext, storeSet } from "../store-set.ts";
import { STORE_WORDS } from "../store-words.ts";
import { isRelativePath } from "#io/url-path.ts";
import { type BaseLocation, folderAbove, resolveTarget } from "#io/resolve.ts";

const FORMAT = {
  kind: "kerchunk-parquet",
  words: STORE_WORDS,
  async python(set: EngineSet, form?: "long") {
    const { PARQUET_SNIPPET, referenceSnippet } = await import("../reference-snippet.ts");
    return referenceSnippet(set, form, PARQUET_SNIPPET);
  },
  decodeInline,
  takesShortRanges: true,
} as const;

/** `undefined` where the folder is not a Kerchunk Parquet set. */
export async function openParquet(folder: Folder, opening: Opening): Promise<EngineSet | undefined> {
  const store = await folder.documents();
  const text = store.documents.get(KEY)?.text;
  const recognised = text === undefined ? undefined : recognise(text, folder.store);
  if (text === undefined || recognised === undefined) return undefined;
  const { documents, findings, refused, recordSize } = readParquetMetadata(text);
  const reading = {
    ...store,
    documents: new Map(documents.map((document) => [document.key, document])),
    findings: [...store.findings, ...findings],
    refused,
    isBeside: true,
    async addArrays(around: StoreContext) {
      const targetsOf = relativeTargets(around);
      for (const node of around.hierarchy.nodes.values()) {
        if (node.kind === "array") around.table.addPages(node.path, parquetPages(around, recordSize, node, targetsOf));
      }
    },
    formatOf: () => ({
      ...FORMAT,
      label: "Kerchunk Parquet",
      recognised,
    }),
  };
  return storeSet(folder, reading, opening);
}

// A record of Kerchunk Parquet alone: its references, which belong to an array that only its folder would name.

export async function openRecord(source: DocumentSource, opening: Opening): Promise<EngineSet> {
  const { locations, network, context } = opening;
  const started = performance.now();
  const { bytes } = await source.document.read(undefined, context);
  const place = targetAt(source.name);
  const footer = describeRecord(bytes, place);
  const { hierarchy } = buildHierarchy([], [], NO_CODECS);
  const table = recordTable(bytes, footer);
  for (const pages of table.index.paged.values()) await pages.load([0], context);
  return makeSet(
    {
      name: source.name,
      url: source.url,
      choice: source.path === undefined ? undefined : `${source.path}\n`,
      format: {
        ...FORMAT,
        label: "Kerchunk Parquet, one record",
        recognised: { kind: "first-bytes", bytes: "PAR1" },
      },
      bytesReceived: bytes.length,
      documentBytes: bytes.length,
      refused: undefined,
      hierarchy,
      documents: new Map(),
      targets: targetReader(source, locations, network),
      ...partsOf(table),
      opening: [finding("record-alone", place, { rows: footer.rows, writer: footer.writer })],
      milliseconds: performance.now() - started,
    },
    context,
  );
}

/** Rows are listed as if they were the chunks of a one-dimensional array at the root. */
function recordTable(bytes: Uint8Array<ArrayBuffer>, { rows }: RecordFooter): GrowingTable {
  const table = growingTable([{ path: "", grid: [rows], separator: "." }]);
  const set = {
    recordSize: Math.max(1, rows),
    decompressors: decompressors(),
    fetch: () => Promise.resolve(bytes),
  };
  table.addPages("", recordPages(set, "", [rows]));
  return table;
}

// A folder of Kerchunk Parquet: metadata from `.zmetadata`, references from records that are fetched when needed.

const KEY = ".zmetadata";

function recognise(text: string, store: Store): Recognition | undefined {
  const detected = detectParquetMetadata(text);
  if (detected.kind === "parquet") return { ...detected, kind: "record-size" };
  return detected.kind === "unclear" && hasRecord(store) ? { kind: "records-beside" } : undefined;
}

const hasRecord = ({ keys }: Store): boolean => keys?.some((key) => parseRecordKey(key) !== undefined) === true;

function parquetPages(
  { store }: StoreContext,
  recordSize: number | undefined,
  { path, metadata }: ArrayNode,
  targetsOf: TargetsOf,
): ReferencePages {
  const grid = gridOf(metadata.shape, metadata.chunks);
  // Without a record size only an array's single record can be located.
  const set: RecordSet = {
    recordSize: recordSize ?? Number.MAX_SAFE_INTEGER,
    decompressors: decompressors(),
    targetsOf,
    fetch: (key, context) => fetchRecord(store, key, context),
  };
  return recordPages(set, path, grid);
}

async function fetchRecord(
  store: Store,
  key: string,
  context: CallContext,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const answer = await store.get(key, context);
  if (answer.kind === "present") return answer.bytes;
  if (answer.kind === "absent") return undefined;
  throw failure("parquet-record-denied", keyAt(key), { status: answer.status });
}

// Decompressors for Parquet's pages, by Parquet's names: our own codecs.

const { signal } = new AbortController();

export function decompressors(): Decompressors {
  return new Map<string, Decompress>([
    ["ZSTD", byCodec("zstd")],
    ["GZIP", byCodec("gzip")],
    [
      "SNAPPY",
      (input, size) => {
        const target = new Uint8Array(size);
        decodeSnappy(input, target);
        return target;
      },
    ],
    [
      "LZ4_RAW",
      (input, size) => {
        const target = new Uint8Array(size);
        decodeLz4Block("lz4", input, target);
        return target;
      },
    ],
    ["LZ4", decodeHadoopLz4],
    // With a dictionary of 120 kB, which few sets need.
    ["BROTLI", async (input, size) => (await import("#codecs/brotli/decode.ts")).decodeBrotli(input, size)],
  ]);
}

function byCodec(id: string): Decompress {
  return async (input, size) => {
    const outline: ChunkOutline = {
      dataType: { kind: "uint", itemSize: 1, byteOrder: "none", text: "|u1" },
      chunkShape: [size],
      elements: size,
      fillValue: null,
    };
    const codec = await loadCodec(id);
    if (codec === undefined) throw new Error(`There is no codec ${id}.`);
    return codec.prepare(new Map(), outline).decode(input, size, signal);
  };
}

// Which folder the relative URLs of a Kerchunk Parquet set are meant from. Nothing says it: fsspec takes the one in
// which Python runs, GDAL that of the record. So it is looked for, once for a set, and a finding says what was decided
// by what.

export type TargetsOf = NonNullable<RecordSet["targetsOf"]>;
type KnownFolder = FactsOf<"parquet-path-base">["folder"];

/** The same for all arrays of a set. */
export function relativeTargets(around: StoreContext): TargetsOf {
  let last: Promise<KnownFolder | undefined> = Promise.resolve(undefined);
  return async (urls, record, context) => {
    const relative = urls.filter(isRelativePath);
    if (relative.length === 0) return urls;
    const decide = (folder?: KnownFolder) => folder ?? folderFor(around, relative, record, context);
    last = last.then(decide, () => decide());
    return (await last) === "record" ? urls.map((url) => below(record, url)) : urls;
  };
}

const below = ({ array }: RecordPlace, url: string): string =>
  array !== "" && isRelativePath(url) ? `${array}/${url}` : url;

/** `undefined` where nobody answers: records that come later are asked for. */
async function folderFor(
  around: StoreContext,
  relative: readonly string[],
  record: RecordPlace,
  context: CallContext,
): Promise<KnownFolder | undefined> {
  const { folder: own, table, rebase } = around;
  const bases: Readonly<Record<KnownFolder, BaseLocation>> = { beside: folderAbove(own), inside: own, record: own };
  const [first = ""] = relative;
  const folders = foldersOf(bases, record);
  const take = (folder: KnownFolder, by: FactsOf<"parquet-path-base">["by"], others: readonly KnownFolder[]) => {
    rebase(bases[folder]);
    table.log.add(finding("parquet-path-base", targetAt(first), { folder, by, others }));
    return folder;
  };
  if (/^GDAL\b/.test(record.writer ?? "")) return take(folders.at(-1) ?? "inside", "writer", []);
  for (const url of new Set([first, relative.at(-1) ?? first])) {
    const isThere = await Promise.all(
      folders.map((folder) => lookFor(around, bases[folder], folder === "record" ? below(record, url) : url, context)),
    );
    const [found, ...others] = folders.filter((_, at) => isThere[at] === true);
    if (found !== undefined) return take(found, "found", others);
    if (isThere.includes(undefined)) return undefined;
  }
  return take(folders[0] ?? "inside", "nothing", []);
}

/** The first is taken where there is nothing in any. */
function foldersOf({ beside, inside }: Readonly<Record<KnownFolder, BaseLocation>>, { array }: RecordPlace) {
  const folders: readonly KnownFolder[] = array === "" ? ["beside", "inside"] : ["beside", "inside", "record"];
  const isRoot = JSON.stringify({ ...beside, query: 0 }) === JSON.stringify({ ...inside, query: 0 });
  return isRoot ? folders.slice(1) : folders;
}

/** `undefined`: no answer says so. */
async function lookFor({ targets }: StoreContext, base: BaseLocation, url: string, context: CallContext) {
  const exact = base.kind === "text" ? base : ({ ...base, exact: true } as const);
  const resolution = resolveTarget(url, exact, targets.locations, targets.files);
  if (resolution.kind === "unresolved") return false;
  if (resolution.kind === "file") return resolution.byName !== true;
  const { status, failure } = await targets.probe(resolution, { furthest: undefined }, context);
  if (status === undefined) return failure === undefined ? true : undefined;
  return (status >= 200 && status < 300) || status === 416;
}
