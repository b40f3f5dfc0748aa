/** A list of codecs made ready to decode: each with the outline of the chunk as it met it. */
import type { ChunkMetadata, CodecConfiguration } from "../core/metadata/array-metadata.ts";
import { orderProblem } from "../core/metadata/codec-table.ts";
import { failure, RefscopeError, WHOLE_SET } from "../core/findings/finding.ts";
import type { ChunkOutline, Codec, CodecLookup, FactsLookup } from "./codec.ts";

export interface PlannedCodec {
  readonly configuration: CodecConfiguration;
  /** Absent where there is no decoder. */
  readonly codec: Codec | undefined;
  readonly outline: ChunkOutline;
}

/** Zarr v2 has no codec that turns chunks: there every codec meets the chunk as it is. */
export function planFor(
  { zarrFormat, decoding }: Pick<ChunkMetadata, "zarrFormat" | "decoding">,
  outline: ChunkOutline,
  codecs: CodecLookup,
): readonly PlannedCodec[] {
  if (zarrFormat === 3) return planCodecs(decoding, outline, codecs);
  return decoding.map((configuration) => ({ configuration, codec: codecs.findV2(configuration.id), outline }));
}

/**
 * Zarr v3's codecs in the order of decoding; `outline` is that of the decoded chunk. Outlines are found in the order of
 * encoding: a `transpose` turns the chunk for those after it.
 */
export function planCodecs(
  decoding: readonly CodecConfiguration[],
  outline: ChunkOutline,
  codecs: CodecLookup,
): readonly PlannedCodec[] {
  let current = outline;
  const planned = decoding.toReversed().map((configuration): PlannedCodec => {
    const codec = codecs.find(configuration.id);
    const before = current;
    const kind = codec?.kind ?? codecs.traits(configuration.id)?.kind;
    const otherwise = kind === "array-array" ? { ...before, otherType: true } : before;
    current = encodedOutline(codec, configuration, before, otherwise);
    return { configuration, codec, outline: before };
  });
  return planned.toReversed();
}

/** `otherwise`: where the codec does not say what it makes. */
function encodedOutline(
  codec: Codec | undefined,
  { configuration }: CodecConfiguration,
  outline: ChunkOutline,
  otherwise: ChunkOutline,
): ChunkOutline {
  if (codec?.encoded === undefined) return otherwise;
  try {
    return codec.encoded(configuration, outline);
  } catch (error) {
    // The codec says it again when it is prepared.
    if (error instanceof RefscopeError) return otherwise;
    throw error;
  }
}

/**
 * Error of a list of Zarr v3 codecs as a whole (§"Codecs"), if any. An empty list is read as plain bytes; a finding
 * about the metadata reports that.
 */
export function chainError(decoding: readonly CodecConfiguration[], { traits }: Pick<FactsLookup, "traits">) {
  if (decoding.length === 0) return undefined;
  const problem = orderProblem(
    decoding.toReversed().map(({ id }) => id),
    traits,
  );
  return problem === undefined
    ? undefined
    : failure("codec-chain", WHOLE_SET, { problem: "order", order: problem }).finding;
}
