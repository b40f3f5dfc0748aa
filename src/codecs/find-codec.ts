/** Codecs by their names, and what is known of those that Refscope does not decode. */
import type { CodecTraits } from "../core/codec-table.ts";
import { RefscopeError } from "../core/errors.ts";
import type { CodecDescription } from "../core/lab.ts";
import type { Codec, CodecLookup, CodecNames } from "./codec.ts";
import * as ALL from "./index.ts";
import { bareName, PREFIX } from "./names.ts";
import { NOT_BUILT_V3 } from "./not-built.ts";

const LIST: readonly Codec[] = Object.values(ALL);

/** Earlier names count: what a codec is called is never taken by what another may be called as well. */
const BY_NAME: ReadonlyMap<string, Codec> = new Map(
  [
    ...LIST.map((codec) => [codec.id, codec] as const),
    ...LIST.flatMap((codec) => furtherNames(codec.names).map((name) => [name, codec] as const)),
  ].toReversed(),
);

function furtherNames(names: CodecNames | undefined): readonly string[] {
  return [...(names?.v3 ?? []), ...(names?.also ?? [])];
}

/** By the name in v2 metadata (`shuffle`) or in v3 metadata (`numcodecs.shuffle`); `undefined` = no decoder. */
export function findCodec(id: string): Codec | undefined {
  return BY_NAME.get(id) ?? BY_NAME.get(bareName(id));
}

const BY_NAME_V3: ReadonlyMap<string, Codec> = new Map(
  LIST.flatMap((codec) => (codec.names?.v3 ?? []).map((name) => [name, codec] as const)),
);

/** The codec of a list of Zarr v3, where a name may mean another than in Zarr v2 (`packbits`). */
export function findCodecV3(id: string): Codec | undefined {
  return BY_NAME_V3.get(id) ?? findCodec(id);
}

/** What reading metadata of Zarr v3 needs, by the names that Zarr v3 has. */
export function codecTraits(name: string): CodecTraits | undefined {
  const codec = BY_NAME_V3.get(name);
  if (codec === undefined) return NOT_BUILT_V3.get(name);
  const { kind, keepsSize, checksum, changesShape } = codec;
  const known = { kind, hasFixedSize: keepsSize === "fixed" || checksum !== undefined, changesShape };
  return codec.fillProblem === undefined ? known : { ...known, fillProblem: fillProblemOf(codec) };
}

function fillProblemOf(codec: Codec): CodecTraits["fillProblem"] {
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

export const CODECS: CodecLookup = { find: findCodecV3, traits: codecTraits };

/** As metadata of a format spell a codec, whichever of its names is given. */
export function spelledIn(zarrFormat: 2 | 3, id: string): string {
  if (zarrFormat === 2) return bareName(id);
  if (id.startsWith(PREFIX) || NOT_BUILT_V3.has(id) || BY_NAME_V3.get(id)?.names?.v3?.[0] === id) return id;
  return BY_NAME_V3.has(PREFIX + id) ? PREFIX + id : id;
}

/** Checksums, each with the codec that adds it. */
export const CHECKSUMS = LIST.flatMap(({ id, checksum }) => (checksum === undefined ? [] : [{ id, ...checksum }]));

/** Compressors. */
export const STREAMS = LIST.flatMap(({ id, insertable, stream }) =>
  stream === undefined ? [] : [{ id, isInsertable: insertable !== undefined, stream }],
);

/** All codecs, for people. */
export function codecDescriptions(): readonly CodecDescription[] {
  return LIST.map(({ id, names, words, insertable, fields = [] }) => ({
    id,
    otherNames: furtherNames(names),
    words,
    fields,
    ...(insertable === undefined ? {} : { insertable }),
  }));
}
