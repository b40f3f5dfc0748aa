/** Codecs by their names, and what is known of those that Refscope does not decode. */
import type { CodecConfiguration } from "../core/array-metadata.ts";
import type { CodecTraits } from "../core/codec-table.ts";
import { RefscopeError } from "../core/errors.ts";
import { isJsonObject, type JsonValue } from "../core/json.ts";
import type { CodecDescription } from "../core/lab.ts";
import type { Codec, CodecFacts, CodecLookup, CodecNames, Decoder, FactsLookup } from "./codec.ts";
import { CODEC_TABLE } from "./index.ts";
import { bareName, PREFIX } from "./names.ts";
import { NOT_BUILT_V3 } from "./not-built.ts";

interface Entry {
  readonly facts: CodecFacts;
  readonly load: () => Promise<Decoder>;
}

const LIST: readonly Entry[] = CODEC_TABLE.flatMap(({ load, inZarr3, ...facts }) =>
  inZarr3 === undefined ? [{ facts, load }] : [{ facts, load }, inZarr3Of(facts, inZarr3)],
);

/** None is put into a chain by that name. */
function inZarr3Of(
  { id, kind, words, keepsSize, fields }: CodecFacts,
  { load, changesShape }: Pick<Entry, "load"> & Pick<CodecFacts, "changesShape">,
): Entry {
  const name = PREFIX + id;
  const known = {
    ...(keepsSize === undefined ? {} : { keepsSize }),
    ...(fields === undefined ? {} : { fields }),
    ...(changesShape === undefined ? {} : { changesShape }),
  };
  return { facts: { id: name, names: { v3: [name] }, kind, words, ...known }, load };
}

/** Earlier names count: what a codec is called is never taken by what another may be called as well. */
const BY_NAME: ReadonlyMap<string, Entry> = new Map(
  [
    ...LIST.map((entry) => [entry.facts.id, entry] as const),
    ...LIST.flatMap((entry) => furtherNames(entry.facts.names).map((name) => [name, entry] as const)),
  ].toReversed(),
);

function furtherNames(names: CodecNames | undefined): readonly string[] {
  return [...(names?.v3 ?? []), ...(names?.also ?? [])];
}

const BY_NAME_V3: ReadonlyMap<string, Entry> = new Map(
  LIST.flatMap((entry) => (entry.facts.names?.v3 ?? []).map((name) => [name, entry] as const)),
);

const entryOf = (id: string): Entry | undefined => BY_NAME.get(id) ?? BY_NAME.get(bareName(id));
/** A name may mean another codec than in Zarr v2 (`packbits`). */
const entryOfV3 = (id: string): Entry | undefined => BY_NAME_V3.get(id) ?? entryOf(id);

/** By the name in v2 metadata (`shuffle`) or in v3 metadata (`numcodecs.shuffle`); `undefined` = no decoder. */
export const findCodec = (id: string): CodecFacts | undefined => entryOf(id)?.facts;
/** The codec of a list of Zarr v3. */
export const findCodecV3 = (id: string): CodecFacts | undefined => entryOfV3(id)?.facts;

const LOADED = new Map<Entry, Codec>();

async function loadEntry(entry: Entry): Promise<Codec> {
  const loaded = LOADED.get(entry) ?? { ...entry.facts, ...(await entry.load()) };
  LOADED.set(entry, loaded);
  return loaded;
}

/** A codec with its decoder, by any of its names. */
export async function loadCodec(id: string): Promise<Codec | undefined> {
  const entry = entryOf(id);
  return entry === undefined ? undefined : loadEntry(entry);
}

/** Those of a list, and of the lists inside of shards, with their decoders. */
export async function loadCodecs(decoding: readonly CodecConfiguration[]): Promise<CodecLookup> {
  const names = new Set(decoding.flatMap(({ id, configuration }) => [id, ...innerNames(configuration, 0)]));
  const entries = new Set([...names].flatMap((id) => [entryOf(id) ?? [], entryOfV3(id) ?? []].flat()));
  await Promise.all([...entries].map(loadEntry));
  return LOADED_CODECS;
}

/** More shards inside each other, and longer lists, are refused. */
const MAX_DEPTH = 10;
const MAX_CODECS = 64;

function innerNames(configuration: JsonValue, depth: number): readonly string[] {
  if (!isJsonObject(configuration) || depth > MAX_DEPTH) return [];
  return ["codecs", "index_codecs"].flatMap((member) => {
    const list = configuration.get(member);
    return Array.isArray(list)
      ? (list as readonly JsonValue[]).slice(0, MAX_CODECS).flatMap((item) => namesIn(item, depth))
      : [];
  });
}

function namesIn(item: JsonValue, depth: number): readonly string[] {
  if (typeof item === "string") return [item];
  if (!isJsonObject(item)) return [];
  const name = item.get("name");
  return [...(typeof name === "string" ? [name] : []), ...innerNames(item.get("configuration") ?? null, depth + 1)];
}

/** What reading metadata of Zarr v3 needs, by the names that Zarr v3 has. */
export function codecTraits(name: string): CodecTraits | undefined {
  const codec = BY_NAME_V3.get(name)?.facts;
  if (codec === undefined) return NOT_BUILT_V3.get(name);
  const { kind, keepsSize, checksum, changesShape } = codec;
  const known = { kind, hasFixedSize: keepsSize === "fixed" || checksum !== undefined, changesShape };
  return codec.fillProblem === undefined ? known : { ...known, fillProblem: fillProblemOf(codec) };
}

function fillProblemOf(codec: CodecFacts): CodecTraits["fillProblem"] {
  return (configuration, dataType, fillValue) => {
    try {
      return codec.fillProblem?.(configuration, { dataType, chunkShape: [], elements: 1, fillValue });
    } catch (error) {
      // Of a configuration that is wrong, which the codec says when it is prepared.
      if (error instanceof RefscopeError) return undefined;
      throw error;
    }
  };
}

export const CODECS: FactsLookup = { find: findCodecV3, traits: codecTraits };

/** Of `loadCodecs` alone: what was not loaded is a mistake of who asks. */
const LOADED_CODECS: CodecLookup = {
  find: (id) => loadedOf(entryOfV3(id)),
  findV2: (id) => loadedOf(entryOf(id)),
  traits: codecTraits,
};

function loadedOf(entry: Entry | undefined): Codec | undefined {
  if (entry === undefined) return undefined;
  const codec = LOADED.get(entry);
  if (codec === undefined) throw new Error(`The codec ${entry.facts.id} was not loaded.`);
  return codec;
}

/** As metadata of a format spell a codec, whichever of its names is given. */
export function spelledIn(zarrFormat: 2 | 3, id: string): string {
  if (zarrFormat === 2) return bareName(id);
  if (id.startsWith(PREFIX) || NOT_BUILT_V3.has(id) || BY_NAME_V3.get(id)?.facts.names?.v3?.[0] === id) return id;
  return BY_NAME_V3.has(PREFIX + id) ? PREFIX + id : id;
}

/** Checksums, each with the codec that adds it. */
export const CHECKSUMS = LIST.flatMap(({ facts: { id, checksum } }) =>
  checksum === undefined ? [] : [{ id, ...checksum }],
);

/** Compressors. */
export const STREAMS = LIST.flatMap(({ facts: { id, insertable, stream } }) =>
  stream === undefined ? [] : [{ id, isInsertable: insertable !== undefined, stream }],
);

/** All codecs, for people. */
export function codecDescriptions(): readonly CodecDescription[] {
  return LIST.map(({ facts: { id, names, words, insertable, fields = [] } }) => ({
    id,
    otherNames: furtherNames(names),
    words,
    fields,
    ...(insertable === undefined ? {} : { insertable }),
  }));
}
