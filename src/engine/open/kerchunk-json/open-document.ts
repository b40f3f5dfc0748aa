/** Opens a set: document → columns, metadata (fetched where it is itself a reference), hierarchy, counts, findings. */
import { attempt } from "#core/basics.ts";
import { buildHierarchy } from "#core/metadata/build-hierarchy.ts";
import type { ByteStream, CallContext, Progress } from "#core/byte-source.ts";
import { gridOf } from "#core/metadata/chunk-grid.ts";
import { FindingLog } from "#core/findings/finding-log.ts";
import { finding, placed, RefscopeError, targetAt, withFacts, WHOLE_SET } from "#core/findings/finding.ts";
import type { Finding } from "#core/findings/finding.ts";
import type { Hierarchy } from "#core/metadata/array-metadata.ts";
import { isJsonObject } from "#core/json/json.ts";
import type { FormatWords, SetChoice } from "#core/open-set.ts";
import { parseJson } from "#core/json/parse-json.ts";
import type { ReferenceTable } from "#core/table/reference-table.ts";
import { type Version1Renderer, FSSPEC_STEPS, type FsspecStep } from "#core/table/version1.ts";
import { decodeInline, readKerchunkJson, resolveGrids } from "#formats/kerchunk-json/index.ts";
import type { FinishedTable, Grid, KerchunkDocument, MetadataEntry } from "#formats/kerchunk-json/index.ts";
import { decompressed } from "#io/decompress.ts";
import type { DocumentFormat, DocumentParts, DocumentSet } from "#engine/engine-set.ts";
import type { RenderOptions, Version1Texts } from "#engine/render/renderer.ts";
import { makeSet } from "../set.ts";
import { rowOriginOf } from "#engine/table/row-origin.ts";
import { indexTable } from "#engine/table/table-index.ts";
import { codecTableFor } from "#codecs/codec-table.ts";
import type { Opening, OpenOptions, OtherDocument } from "../driver.ts";
import { fetchMetadata } from "../fetch-metadata.ts";
import { joinChoice, targetReader } from "#engine/chunk/sources.ts";
import type { SetSource, StreamedDocument, TargetReader } from "#engine/chunk/sources.ts";

export type Opened =
  | { readonly kind: "set"; readonly set: DocumentSet }
  | { readonly kind: "choose"; readonly title: string; readonly choices: readonly SetChoice[] };

/** Bytes: larger documents are not kept as text. */
const LARGEST_TEXT = 4 << 20;

/** Opens like `readSet`, but throws `RefscopeError` also if the document is not a reference set. */
export async function openSet(...asked: Parameters<typeof readSet>): Promise<Opened> {
  const read = await readSet(...asked);
  if (read.kind === "other") throw read.error;
  return read;
}

/** `choice` is one inside the document. */
export async function readSet(
  source: SetSource,
  choice: string | undefined,
  opening: Opening,
): Promise<Opened | OtherDocument> {
  const { locations, network, options, context } = opening;
  const started = performance.now();
  const read = await readDocument(source.document, choice, options, context);
  const [only, ...others] = read.kind === "choose" ? read.choices : [];
  if (only !== undefined && others.length === 0) return readSet(source, only.id, opening);
  if (read.kind === "choose") {
    const choices = read.choices.map((one) => ({ ...one, id: joinChoice(source, one.id) }));
    return { kind: "choose", title: read.title, choices };
  }
  if (read.kind === "other") {
    return { kind: "other", error: new RefscopeError(placed(read.finding, targetAt(source.url ?? source.name))) };
  }
  const { document, redirectedTo } = read;
  const targets = targetReader(source, locations, network);
  const { bytesReceived } = read;
  const parts = { source, choice, document, redirectedTo, targets, started, bytesReceived };
  return { kind: "set", set: await completeSet(parts, options, context) };
}

/** Its code is fetched with the first document that has something to render. */
async function rendererOf(texts: Version1Texts, options: RenderOptions): Promise<Version1Renderer | undefined> {
  const { templates, gen } = texts;
  if (templates === undefined && gen === undefined && (options.overrides?.size ?? 0) === 0) return undefined;
  const { makeRenderer } = await import("#engine/render/renderer.ts");
  return makeRenderer(texts, options);
}

async function readDocument(
  document: StreamedDocument,
  choice: string | undefined,
  { overrides, most, meant = false }: OpenOptions,
  context: CallContext,
) {
  const input = await openStream(document, context);
  const plain = await decompressed(input, context);
  const compressed = plain.encoding !== "none";
  const total = input.size ?? input.sizeHint;
  const read = await readKerchunkJson(plain.stream.body, {
    sizeHint: plain.stream.size,
    keepText: LARGEST_TEXT,
    rendering: (texts) => rendererOf(texts, { overrides, most }),
    meant,
    // The size of a compressed document is not known in advance: the bar shows what has arrived.
    context: { ...context, report: (progress) => report(progress) },
    ...(choice === undefined ? {} : { choice }),
  });
  const bytesReceived = compressed ? plain.bytesIn() : bytesOf(read, plain.bytesIn());
  return { ...read, bytesReceived, redirectedTo: input.redirectedTo };

  function report(progress: Progress): void {
    const { label, unit } = progress;
    if (unit !== "bytes") return context.report(progress);
    const done = compressed ? plain.bytesIn() : progress.done;
    context.report({ label, unit, done, ...(total === undefined || done > total ? {} : { total }) });
  }
}

/** Advice for targets (rewrite rules) does not help with the document itself. */
async function openStream(document: StreamedDocument, context: CallContext): Promise<ByteStream> {
  try {
    return await document.stream(context);
  } catch (error) {
    if (!(error instanceof RefscopeError) || error.code !== "http-status") throw error;
    throw new RefscopeError(withFacts(error.finding, { sought: "document" }), { cause: error });
  }
}

/** If nothing was compressed, the scanner's count is right: a stream passed on to it is not counted on the way. */
function bytesOf(read: Awaited<ReturnType<typeof readKerchunkJson>>, counted: number): number {
  return read.kind === "set" ? read.document.documentBytes : counted;
}

interface Read {
  readonly source: SetSource;
  readonly choice: string | undefined;
  readonly document: KerchunkDocument;
  readonly redirectedTo: string | undefined;
  readonly targets: TargetReader;
  /** Start by `performance.now()`. */
  readonly started: number;
  readonly bytesReceived: number;
}

async function completeSet(read: Read, options: OpenOptions, context: CallContext): Promise<DocumentSet> {
  const { source, choice, document, redirectedTo, targets } = read;
  const refused = document.version === 1 ? refusal(document.findings) : undefined;
  const findings = new FindingLog();
  if (refused !== undefined) findings.add(refused);
  if (redirectedTo !== undefined) findings.add(finding("document-redirected", targetAt(redirectedTo), {}));
  findings.addAll(document.findings);
  const documents = await fetchMetadata(document.metadata, targets, context, options.knownMetadata);
  findings.addAll(documents.findings);
  const { hierarchy, findings: built } = buildHierarchy(
    documents.all.values(),
    chunksOnlyPaths(document.table),
    await codecTableFor(documents.all.values()),
  );
  findings.addAll(built);
  const { table, origins, metadata, findings: strays } = withFetchedGrids(document, hierarchy, documents.fetchedArrays);
  findings.addAll(strays);
  const { renderer } = document;
  const format = formatOf(document);
  const index = indexTable(
    table,
    renderer && format.hasTemplates === true ? rowOriginOf(table, origins, renderer) : undefined,
  );
  const parts = {
    name: choice === undefined ? source.name : `${source.name} · ${choice}`,
    url: source.url,
    choice: choice === undefined ? undefined : joinChoice(source, choice),
    format,
    documentBytes: document.documentBytes,
    bytesReceived: read.bytesReceived,
    milliseconds: performance.now() - read.started,
    metadataKeys: metadata.length,
    origins,
    renderer,
    refused,
    index,
    hierarchy,
    documents: documents.all,
    opening: findings.list(),
    countsLater: options.countsLater,
    targets,
    source,
    document: partsOf(document, metadata),
    documentText: document.text,
  };
  return makeSet(parts, context);
}

function partsOf(document: KerchunkDocument, metadata: readonly MetadataEntry[]): DocumentParts {
  const { version, templates, gen, otherMembers, documentBytes } = document;
  return { version, metadata, templates, gen, otherMembers, documentBytes };
}

const WORDS: FormatWords = {
  unit: "reference",
  heading: "References",
  countsMetadata: true,
  source: "Document",
  missing: "No reference",
  lost: "it was lost when the references were made",
  unrequested: "nothing was requested",
  inlineIn: "reference set",
};

function formatOf({ version, gen, renderer }: KerchunkDocument): DocumentFormat {
  const generated = generatedPrefixes(gen);
  const hasTemplates = renderer !== undefined && (renderer.hasTemplates || generated.length > 0);
  const missing = renderer?.isIncomplete === true ? generated : [];
  const mayGenerate = (key: string) => missing.some((prefix) => key.startsWith(prefix));
  return {
    kind: "kerchunk-json",
    words: WORDS,
    python: async (set, form) => (await import("../reference-snippet.ts")).referenceSnippet(set, form),
    label: `Kerchunk JSON, Version ${version}`,
    recognised: version === 1 ? { kind: "members", names: ["version", "refs"] } : { kind: "references" },
    version,
    hasTemplates,
    mayGenerate,
    decodeInline,
    takesShortRanges: true,
  };
}

/** Arrays that chunk keys speak of; the hierarchy knows which have metadata. */
function chunksOnlyPaths(table: ReferenceTable): readonly string[] {
  return table.arrays.filter((slot) => slot.grid === undefined).map((slot) => slot.path);
}

/** Rows of arrays whose `.zarray` had to be fetched first have no ordinals yet. */
function withFetchedGrids(
  { table, origins, metadata }: KerchunkDocument,
  hierarchy: Hierarchy,
  paths: ReadonlySet<string>,
): Omit<FinishedTable, "newRow"> & Pick<KerchunkDocument, "metadata"> {
  if (paths.size === 0) return { table, origins, metadata, findings: [] };
  const grids = new Map<string, Grid>();
  for (const path of paths) {
    const node = hierarchy.nodes.get(path);
    if (node?.kind !== "array") continue;
    const { shape, chunks, separator, sharding } = node.metadata;
    grids.set(path, { grid: gridOf(shape, sharding?.shape ?? chunks), separator: sharding?.separator ?? separator });
  }
  const resolved = resolveGrids(table, grids);
  return { ...resolved, metadata: metadata.map((entry) => ({ ...entry, row: resolved.newRow(entry.row) })) };
}

// Which keys a Version 1 `gen` may make that was not rendered to its end, as far as is known without rendering it.

/**
 * The text before the first tag of each entry's key: every key that the entry makes begins with it (Jinja2 gives text
 * outside of tags as it is). `[""]`, which any key begins with, where nothing is known; `[]` where nothing is made.
 */
export function generatedPrefixes(gen: string | undefined): readonly string[] {
  if (gen === undefined) return [];
  const value = attempt(() => parseJson(gen).value, "");
  return Array.isArray(value) ? value.map((entry) => prefixOf(entry)) : value === null ? [] : [""];
}

function prefixOf(entry: Parameters<typeof isJsonObject>[0]): string {
  const key = isJsonObject(entry) ? entry.get("key") : undefined;
  if (typeof key !== "string") return "";
  const tag = /\{[{%#]/.exec(key)?.index ?? key.length;
  return key.slice(0, tag);
}

// Tells if fsspec opens a Version 1 document at all: it makes all references before it gives any.

/**
 * The first that fsspec comes upon of what it raises on, which stands for all; absent where it reads the document. What
 * Python raises, and in which step, are facts given where it was found: Refscope's own limits and gaps have none.
 */
export function refusal(findings: readonly Finding[]): Finding | undefined {
  let first: { readonly order: number; readonly cause: Finding; readonly raises: string } | undefined;
  for (const cause of findings) {
    const raises = cause.facts["raises"];
    const order = FSSPEC_STEPS.indexOf(cause.facts["step"] as FsspecStep);
    if (typeof raises !== "string" || order < 0) continue;
    if (first === undefined || order < first.order) first = { order, cause, raises };
  }
  if (first === undefined) return undefined;
  const { cause, raises } = first;
  return finding("set-refused", WHOLE_SET, { raises, cause });
}
