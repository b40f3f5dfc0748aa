/** All codecs with their decoders, for tests of decoders. */
import type { CodecLookup } from "../codec.ts";
import { codecDescriptions, loadCodecs } from "../find-codec.ts";

export const LOADED: CodecLookup = await loadCodecs(
  codecDescriptions().map(({ id }) => ({ id, configuration: new Map() })),
);
