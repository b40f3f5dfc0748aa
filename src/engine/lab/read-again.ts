/** Chunks of a repaired array, read again in the edited set: only then is the repair said to work. */
import { metadataOfChunk } from "../../core/array-metadata.ts";
import type { CallContext } from "../../core/byte-source.ts";
import { insideShape } from "../../core/chunk-grid.ts";
import type { ForeseenChunk, ReadAgain } from "../../core/lab.ts";
import { chunkReference } from "../chunk/chunk-reference.ts";
import { decodeChunk } from "../chunk/decode-chunk.ts";
import { arrayNode, type EngineSet } from "../engine-set.ts";
import { loadChunk } from "../chunk/load-chunk.ts";
import { fingerprintOf, readOutcome } from "./judge-chunk.ts";

/** Throws `no-such-array`, `outside-grid`. */
export async function readAgain(
  set: EngineSet,
  array: string,
  chunks: readonly ForeseenChunk[],
  context: CallContext,
): Promise<ReadAgain> {
  const quiet: CallContext = { signal: context.signal, report: () => undefined };
  const wrong: ReadAgain["wrong"][number][] = [];
  for (const [done, chunk] of chunks.entries()) {
    context.signal.throwIfAborted();
    context.report({ label: "Reading again", done, total: chunks.length, unit: "chunks" });
    const found = await faultOf(set, array, chunk, quiet);
    if (found !== undefined) wrong.push(found);
  }
  return { read: chunks.length, wrong };
}

async function faultOf(
  set: EngineSet,
  array: string,
  { coordinates, fingerprint }: ForeseenChunk,
  context: CallContext,
): Promise<ReadAgain["wrong"][number] | undefined> {
  const { metadata, ...node } = arrayNode(set, array);
  const chunk = await chunkReference(set, { metadata, ...node }, coordinates, context);
  const { key } = chunk;
  const loaded = await loadChunk(set, chunk, context);
  if (loaded.kind === "failed") return { key, found: { kind: "failed", error: loaded.error } };
  if (loaded.kind === "missing") return { key, found: { kind: "missing" } };
  const of = metadataOfChunk(metadata, coordinates);
  const inside = insideShape(metadata.shape, metadata.chunks, coordinates);
  const reading = { metadata: of, inside, decoded: await decodeChunk(of, loaded.bytes, context.signal) };
  const now = fingerprintOf(reading);
  const isForeseen = now !== undefined && (fingerprint === undefined || now === fingerprint);
  return isForeseen ? undefined : { key, found: readOutcome(reading) };
}
