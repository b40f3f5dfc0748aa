/** Judges each reader of a set by the rules whose features the set has. */
import { attempt } from "#core/basics.ts";
import type { CallContext } from "#core/byte-source.ts";
import type { Finding } from "#core/findings/finding.ts";
import { isJsonObject } from "#core/json/json.ts";
import { parseJson } from "#core/json/parse-json.ts";
import type { ArrayMetadata, ArrayNode, CodecConfiguration } from "#core/metadata/array-metadata.ts";
import { chunkKey } from "#core/metadata/chunk-grid.ts";
import type { DataType } from "#core/metadata/data-type.ts";
import { DECISIVE, READER_RULES, READERS, isUnknownToPython, ZARRITA_CODECS } from "#core/readers/rules.ts";
import type { Effect, FeatureId, Reader, ReaderRule, SetFormatFeature } from "#core/readers/rules.ts";
import { PACKAGES } from "#core/readers/asked-reader.ts";
import { type AskedVersions, askedWords, isInRange, NO_VERSIONS } from "#core/readers/versions.ts";
import type { FeatureUse, ReaderEffect, ReaderSample, ReaderVerdict } from "#core/readers/verdict.ts";
import { ARRAY_NONE, TARGET_BAD, TARGET_INLINE, TARGET_NULL } from "#core/table/reference-table.ts";
import { documentIndex } from "#engine/edit/document-index.ts";
import { simpleReader } from "#engine/edit/simple-reader.ts";
import { type DocumentSet, type EngineSet, isDocument } from "#engine/engine-set.ts";
import { startPace } from "#engine/pace.ts";
import { eachBlock } from "#engine/table/array-index.ts";
import { foundFeatures } from "./found-features.ts";
import { groupFeatures, useBy } from "./group-features.ts";
import { viewerArrayFeatures, viewerSetFeatures } from "./viewer-features.ts";

/** @param ran what zarrita made of a sample, where it was run */
export async function readerVerdicts(
  set: EngineSet,
  found: readonly Finding[],
  context: CallContext,
  ran?: ReaderSample,
  asked: AskedVersions = NO_VERSIONS,
): Promise<readonly ReaderVerdict[]> {
  const uses = await featuresOf(set, found, context);
  const arrays = [...set.hierarchy.nodes.values()].flatMap(({ kind, path }) => (kind === "array" ? [path] : []));
  return READERS.map((reader) => {
    const words = askedWords(asked, PACKAGES[reader.id]);
    const judged = withFound(verdictOfReader(reader, uses, READER_RULES, asked), arrays);
    const verdict = words === undefined ? judged : { ...judged, asked: words };
    return ran === undefined || reader.id !== "zarrita" ? verdict : { ...verdict, run: ran };
  });
}

export function verdictOfReader(
  reader: Reader,
  uses: readonly FeatureUse[],
  rules: readonly ReaderRule[] = READER_RULES,
  asked: AskedVersions = NO_VERSIONS,
): ReaderVerdict {
  const own = rules.filter(({ readers }) => readers.includes(reader.id));
  const effects = own.flatMap((rule) => {
    const isSo = rule.versions === undefined ? undefined : isInRange(rule.versions, asked);
    if (isSo === false || (isSo === undefined && rule.isOld === true)) return [];
    const of = uses.filter(({ feature }) => feature === rule.feature);
    return of.map((use) =>
      effectOf(rule, useBy(reader.id, rule, use), isSo === true ? decisive(rule, asked) : undefined),
    );
  });
  const sorted = effects.toSorted((one, other) => rankOf(other) - rankOf(one));
  // Effects on a part do not matter if the whole is refused.
  const whole = sorted.filter((one) => isWhole(one) && one.effect === "refuses" && !one.isConditional);
  const told = whole.length > 0 ? whole : sorted;
  const isKnown = uses.every(({ feature }) => !DECISIVE.has(feature) || own.some((rule) => rule.feature === feature));
  const unseen = told.filter(({ use }) => use.feature === "unseen");
  if (whole.length === 0 && (!isKnown || unseen.length > 0)) return { reader, answer: "unknown", effects: unseen };
  return { reader, answer: answerOf(sorted), effects: told };
}

/** Says with each effect "reads" how many arrays of this set are found. */
function withFound(verdict: ReaderVerdict, arrays: readonly string[]): ReaderVerdict {
  const certain = verdict.effects.filter(({ effect, isConditional }) => effect !== "reads" && !isConditional);
  const lost = new Set(certain.flatMap(({ use }) => (isOfSet(use) ? arrays : (use.arrays ?? []))));
  const finds = { arrays: arrays.filter((path) => !lost.has(path)).length, of: arrays.length };
  if (arrays.length === 0) return verdict;
  return { ...verdict, effects: verdict.effects.map((one) => (one.effect === "reads" ? { ...one, finds } : one)) };
}

const isOfSet = ({ unit, count, of }: FeatureUse): boolean => unit === "set" && count >= of;

/** `version`: that for which it is known to be so. */
const effectOf = ({ id, effect, when, versions }: ReaderRule, use: FeatureUse, version?: string): ReaderEffect => ({
  rule: id,
  effect,
  isConditional: when !== undefined || (versions !== undefined && version === undefined),
  ...(version === undefined ? {} : { version }),
  use,
});

const decisive = ({ versions }: ReaderRule, asked: AskedVersions): string | undefined =>
  versions === undefined ? undefined : askedWords(asked, [versions.package]);

const SEVERITY: Readonly<Record<Effect, number>> = { reads: 0, loss: 1, wrong: 2, refuses: 3 };

/** Effects that depend on more than the set come last. */
const rankOf = ({ effect, isConditional }: ReaderEffect): number => SEVERITY[effect] - (isConditional ? 4 : 0);

const isWhole = ({ use }: ReaderEffect): boolean => use.count >= use.of;

function answerOf(effects: readonly ReaderEffect[]): ReaderVerdict["answer"] {
  const certain = effects.filter(({ effect, isConditional }) => effect !== "reads" && !isConditional);
  if (certain.length === 0) return "yes";
  return certain.some(isWhole) ? "no" : "partly";
}

// Features of an array's metadata that readers treat differently.

function arrayFeatures({ path, metadata }: ArrayNode, format: string): readonly FeatureId[] {
  const { zarrFormat, decoding, sharding, separator } = metadata;
  const indexCodecs = sharding?.indexCodecs ?? [];
  const has = (name: string) => decoding.some(({ id }) => bareCodec(id) === name);
  const isBeside = has("sharding_indexed") && sharding === undefined;
  const found: readonly (readonly [FeatureId, boolean])[] = [
    ["root-array", path === ""],
    ["big-endian", isBigType(metadata.dataType)],
    ["zarr-v3", zarrFormat === 3],
    ["encoded-keys", format !== "zarr" && isEncoded(path, metadata)],
    ["sharding", sharding !== undefined || isBeside],
    ["sharding-in-references", format === "kerchunk-json" && sharding !== undefined],
    ["shard-index-start", sharding?.indexLocation === "start"],
    ["shard-index-unchecked", sharding !== undefined && indexCodecs.every(({ id }) => bareCodec(id) === "bytes")],
    ["nested-shards", sharding !== undefined && has("sharding_indexed")],
    ["codecs-beside-sharding", isBeside],
    ["checksum-crc32c", [...decoding, ...indexCodecs].some(({ id }) => bareCodec(id) === "crc32c")],
    ["codec-zarrita-lacks", decoding.some(({ id }) => !ZARRITA_CODECS.has(bareCodec(id)))],
    ["shuffle-other-size", decoding.some((codec) => isOtherSize(codec, metadata.dataType))],
    ["json2-dimensions", has("json2") && metadata.shape.length > 1],
    ["delta-astype", decoding.some((codec) => isCast(codec, metadata.dataType))],
    ["big-endian-offset", decoding.some((codec) => isBigEndian(codec, metadata.dataType))],
    ["type-zarrita-lacks", !isTypeOfZarrita(metadata.dataType)],
    ["type-zarr-python-lacks", zarrFormat === 3 && !isTypeOfZarrPython(metadata.dataType)],
    ["codec-zarr-python-lacks", decoding.some(({ id }) => isUnknownToPython(id, zarrFormat))],
    ["chunky-codec", has("ChunkyCodec")],
    [
      "chunky-delta-big",
      has("HorizontalDeltaCodec") && decoding.some((codec) => isBigChunky(codec, metadata.dataType)),
    ],
    ["null-fill-64", isLong(metadata.dataType) && metadata.fillValue === null],
    ["datetime-v3", zarrFormat === 3 && isTime(metadata.dataType)],
    ["datetime-v2", zarrFormat === 2 && isTime(metadata.dataType)],
    ["float16", isHalf(metadata.dataType)],
    ["fill-misread", isMisreadFill(metadata)],
    ["fill-misread-unseen", isMisreadFill(metadata)],
    ["keys-icechunk-lacks", format === "icechunk" && (sharding?.separator ?? separator) !== "c/"],
    ["storage-transformers", (metadata.storageTransformers ?? []).length > 0],
    ["rectilinear-grid", metadata.isRectilinear === true],
    ["numcodecs-in-v3", zarrFormat === 3 && decoding.some(({ id }) => id.startsWith("numcodecs."))],
    ["slash-keys-in-parquet", format === "kerchunk-parquet" && separator.endsWith("/") && metadata.shape.length > 1],
  ];
  return found.filter(([, isThere]) => isThere).map(([feature]) => feature);
}

const isBigType = (type: DataType): boolean =>
  type.kind === "structured" ? type.fields.some((field) => isBigType(field.type)) : type.text.startsWith(">");

const bareCodec = (id: string): string => id.replace(/^numcodecs\./, "");

/** True if zarrita changes the key: it makes a URL of it, and takes the key from that. */
function isEncoded(path: string, { separator, shape }: ArrayMetadata): boolean {
  const first = shape.map(() => 0);
  const key = chunkKey(path, first, separator);
  return attempt(() => new URL(key, "https://ref.invalid/").pathname.slice(1) !== key, true);
}

function isOtherSize({ id, configuration }: CodecConfiguration, type: DataType): boolean {
  const size = configuration.get("elementsize");
  return bareCodec(id) === "shuffle" && "itemSize" in type && typeof size === "number" && size !== type.itemSize;
}

function isCast({ id, configuration }: CodecConfiguration, type: DataType): boolean {
  const [from, to] = [configuration.get("dtype"), configuration.get("astype")];
  if (bareCodec(id) !== "delta" || typeof to !== "string") return false;
  return to !== (typeof from === "string" ? from : type.text);
}

function isBigEndian({ id, configuration }: CodecConfiguration, type: DataType): boolean {
  const to = configuration.get("astype");
  const isBig = typeof to === "string" && to.startsWith(">");
  return bareCodec(id) === "fixedscaleoffset" && isBig && !type.text.startsWith(">");
}

/** Booleans, integers, floats up to 64 bits, texts and bytes of one size, and objects. */
const TYPES_OF_ZARRITA: ReadonlySet<DataType["kind"]> = new Set(["bool", "int", "uint", "bytes", "unicode", "object"]);
const isHalf = ({ kind, itemSize }: DataType): boolean => kind === "float" && itemSize === 2;

const isTime = ({ kind }: DataType): boolean => kind === "datetime" || kind === "timedelta";

const isTypeOfZarrita = (type: DataType): boolean =>
  TYPES_OF_ZARRITA.has(type.kind) || (type.kind === "float" && type.itemSize <= 8);

const isBigChunky = ({ id, configuration }: CodecConfiguration, { itemSize }: DataType): boolean =>
  id === "ChunkyCodec" && configuration.get("endian") === "big" && itemSize > 1;

/** All that NumPy has, and text and bytes of any length. */
function isTypeOfZarrPython(type: DataType): boolean {
  if (type.kind === "structured") return type.fields.every((field) => isTypeOfZarrPython(field.type));
  if (type.kind === "object") return type.isUnknown !== true;
  // complex_float16, of which the bytes are shown, and other names of complex64 and complex128.
  return type.kind !== "narrow" && !/^complex(?:_|32$)/.test(type.text);
}

const isLong = (type: DataType): boolean => (type.kind === "int" || type.kind === "uint") && type.itemSize === 8;

/** zarrita takes a text for a number or for the text itself, and makes doubles of integers. */
function isMisreadFill({ dataType, fillValue }: ArrayMetadata): boolean {
  if (typeof fillValue === "bigint") return isLong(dataType) && BigInt(Number(fillValue)) !== fillValue;
  if (dataType.kind === "bytes") return fillValue !== "";
  return dataType.kind === "float" && typeof fillValue === "string" && /^0x/i.test(fillValue);
}

const FORMATS: ReadonlySet<string> = new Set<SetFormatFeature>([
  "kerchunk-json",
  "kerchunk-parquet",
  "icechunk",
  "zarr",
]);

/** @param found what is known of the set besides: what reading chunks found tells of its servers */
export async function featuresOf(
  set: EngineSet,
  found: readonly Finding[],
  context: CallContext,
): Promise<readonly FeatureUse[]> {
  return [
    ...formatOf(set),
    ...(await renderingFeatures(set, context)),
    ...metadataAsObjects(set),
    ...arrayUses(set),
    ...stateUses(set),
    ...(await emptyReferences(set, context)),
    ...(await targetUses(set, context)),
    ...foundFeatures(set, found),
    ...viewerSetFeatures(set),
    ...groupFeatures(set),
    ...(await absenceUses(set, context)),
  ];
}

/** Tells if the server lets a reader know what a repository lacks; this may be checked unasked. */
async function absenceUses({ repository }: EngineSet, context: CallContext): Promise<readonly FeatureUse[]> {
  const answers = repository === undefined ? true : await repository.answersAbsence(context);
  if (answers === true) return [];
  const feature = answers === false ? "icechunk-absence-unclear" : "icechunk-absence-unseen";
  return [{ feature, count: 1, of: 1, unit: "set" }];
}

function formatOf({ format, refused }: EngineSet): readonly FeatureUse[] {
  const whole = { count: 1, of: 1, unit: "set" } as const;
  const known = FORMATS.has(format.kind) ? [{ feature: format.kind as SetFormatFeature, ...whole }] : [];
  return refused === undefined ? known : [...known, { feature: "refused", ...whole, error: refused.code }];
}

function metadataAsObjects(set: EngineSet): readonly FeatureUse[] {
  if (!isDocument(set)) return [];
  const { metadata } = set.document;
  const objects = metadata.filter(({ isObject }) => isObject === true);
  const uses = used("object-metadata", objects.length, metadata.length, "document", objects[0]?.key);
  const hasTemplates =
    isJsonObject(parseJson(set.document.templates ?? "{}").value) && set.document.templates !== undefined;
  if (!hasTemplates || objects.length === 0) return uses;
  return [...uses, { feature: "objects-and-templates", count: 1, of: 1, unit: "set" }];
}

function used(
  feature: FeatureId,
  count: number,
  of: number,
  unit: FeatureUse["unit"],
  first?: string,
): readonly FeatureUse[] {
  return count === 0 ? [] : [{ feature, count, of, unit, ...(first === undefined ? {} : { first }) }];
}

const OF_CHUNKS: ReadonlyMap<FeatureId, "missing" | "unknown"> = new Map<FeatureId, "missing" | "unknown">([
  ["null-fill-64", "missing"],
  ["fill-misread", "missing"],
  ["fill-misread-unseen", "unknown"],
]);

/** Uses of the features that arrays have: their chunks. */
function arrayUses(set: EngineSet): readonly FeatureUse[] {
  const by = new Map<FeatureId, ArrayNode[]>();
  for (const node of set.hierarchy.nodes.values()) {
    if (node.kind !== "array") continue;
    for (const feature of [...arrayFeatures(node, set.format.kind), ...viewerArrayFeatures(node)])
      by.set(feature, [...(by.get(feature) ?? []), node]);
  }
  return [...by].flatMap(([feature, nodes]) => {
    // Some features concern only chunks that are missing, or may be.
    const state = OF_CHUNKS.get(feature);
    const of = (path: string) => {
      const counts = set.tally.arrays.get(path);
      return (state === undefined ? counts?.cells : counts?.states[state]) ?? 0;
    };
    const arrays = nodes.map(({ path }) => path).filter((path) => state === undefined || of(path) > 0);
    const count = arrays.reduce((sum, path) => sum + of(path), 0);
    const [first] = arrays;
    if (first === undefined) return [];
    return [{ feature, count, of: set.tally.cells, unit: "chunk" as const, arrays, first }];
  });
}

function stateUses({ tally, format }: EngineSet): readonly FeatureUse[] {
  const { whole, virtual, inline, bad } = tally.states;
  const { references } = tally;
  return [
    // Each chunk of a store is an object of its own.
    ...(format.kind === "zarr" ? [] : used("whole-file", whole, references, "reference")),
    ...used("virtual-chunks", virtual, references, "chunk"),
    ...used("inline", inline, references, "reference"),
    ...(format.kind === "zarr"
      ? []
      : used(format.kind === "icechunk" ? "icechunk-refused" : "malformed-reference", bad, references, "reference")),
    ...used("null-target", tally.nullTarget.references, references, "reference"),
  ];
}

/** References of length 0: inline ones; in repositories Icechunk refuses the others as well. */
async function emptyReferences({ table, tally, format }: EngineSet, context: CallContext) {
  const isRepository = format.kind === "icechunk";
  if (!isRepository && tally.states.inline === 0) return [];
  let [inline, others] = [0, 0];
  const pace = startPace(context, "Looking for what readers differ in", table.rows);
  await eachBlock(table, pace, ({ array, target, length }, _first, rows) => {
    for (let i = 0; i < rows; i += 1) {
      if (length[i] !== 0 || array[i] === ARRAY_NONE) continue;
      if (target[i] === TARGET_INLINE) inline += 1;
      else if (target[i] !== TARGET_NULL && target[i] !== TARGET_BAD) others += 1;
    }
  });
  return [
    ...used("empty-inline", inline, tally.references, "chunk"),
    ...(isRepository ? used("icechunk-refused", inline + others, tally.references, "chunk") : []),
  ];
}

const SCHEME = /^[a-z][a-z\d+.-]*:/i;
/** Schemes that zarrita's default fetch knows. */
const FETCHED = /^(?:https?|s3|gs|gcs|data):/i;

/** Features of a URL that readers treat differently. */
function targetFeatures(text: string): readonly FeatureId[] {
  if (!SCHEME.test(text)) return ["relative-target"];
  if (/^s3:/i.test(text)) return ["s3-target"];
  return FETCHED.test(text) ? [] : ["scheme-zarrita-lacks"];
}

/** A URL each, with all references to it. */
async function targetUses({ table, tally }: EngineSet, context: CallContext): Promise<readonly FeatureUse[]> {
  const { targets } = table;
  const pace = startPace(context, "Looking at targets", targets.count);
  const counts = new Map<FeatureId, { count: number; readonly first: string }>();
  for (let id = 0; id < targets.count; id += 1) {
    if (id % 4096 === 0) await pace.yieldIfDue(id);
    const references = tally.targetReferences[id] ?? 0;
    if (references === 0) continue;
    const text = targets.text(id);
    for (const feature of targetFeatures(text)) {
      const known = counts.get(feature) ?? { count: 0, first: text };
      known.count += references;
      counts.set(feature, known);
    }
  }
  return [...counts].flatMap(([feature, { count, first }]) =>
    used(feature, count, tally.references, "reference", first),
  );
}

// Features of a document's templates and gen. fsspec's default mode is computed key by key, as in the studio.

async function renderingFeatures(set: EngineSet, context: CallContext): Promise<readonly FeatureUse[]> {
  if (!isDocument(set) || set.renderer === undefined || set.format.hasTemplates !== true) return [];
  const gen = used("gen", set.renderer.size, set.keys, "reference");
  return [...gen, ...functionsOf(set), ...(await templatesIn(set, context)), ...(await simpleMode(set, context))];
}

/** Templates that hold a template are functions to fsspec. */
function functionsOf({ document }: DocumentSet): readonly FeatureUse[] {
  const { value } = parseJson(document.templates ?? "{}");
  if (!isJsonObject(value)) return [];
  const first = [...value].find(([, template]) => typeof template === "string" && template.includes("{{"))?.[0];
  return used("function-templates", first === undefined ? 0 : 1, 1, "set", first);
}

/** References whose URL holds a template. */
async function templatesIn({ table, tally, keys, origins }: DocumentSet, context: CallContext) {
  const { targets } = table;
  const pace = startPace(context, "Looking for templates", targets.count);
  let [count, first] = [0, undefined as string | undefined];
  for (let id = 0; id < targets.count && origins.refsRows > 0; id += 1) {
    if (id % 4096 === 0) await pace.yieldIfDue(id);
    const written = targets.written(id);
    if (!written.includes("{{")) continue;
    count += tally.targetReferences[id] ?? 0;
    first ??= written;
  }
  return used("templates", count, keys, "reference", first);
}

/** Keys that gen makes are lost to it besides, and counted apart. */
async function simpleMode(set: DocumentSet, context: CallContext): Promise<readonly FeatureUse[]> {
  const { outcome, first } = await simpleReader(documentIndex(set)).summary(context);
  if (outcome.kind === "refuses")
    return used("simple-refuses", 1, 1, "set", first).map((use) => ({ ...use, error: outcome.error }));
  return outcome.kind === "differs" ? used("simple-other", outcome.other, set.keys, "reference", first) : [];
}
