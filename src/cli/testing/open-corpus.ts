/** For tests: sets of the corpus opened as the commands open them, without a network. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { parseSelection } from "#core/plane/selection.ts";
import type { ArrayNode } from "#core/metadata/array-metadata.ts";
import { corpus } from "#core/testing/corpus.ts";
import { digestArray } from "#engine/digest/digest.ts";
import type { EngineSet } from "#engine/engine-set.ts";
import { readPart } from "#engine/many/array-part.ts";
import { openRefs } from "../open-refs.ts";

export const CONTEXT = { signal: new AbortController().signal, report: () => undefined };

export async function openEntry(entry: string, file: string, target?: string): Promise<EngineSet> {
  const root = join(corpus.folder, entry);
  const options = { json: true, chunks: false, offline: true, choice: undefined, target, root };
  const opened = await openRefs(join(corpus.folder, file), options, CONTEXT);
  if (opened.kind !== "set") throw new Error(opened.title);
  return opened.set;
}

/** Beyond this an array is not read in one piece here. */
const MOST_ELEMENTS = 2 ** 26;

/**
 * The hash of an array read in one piece, as `read` gives it; `undefined` where a chunk failed, or it is very large.
 */
export async function hashOfRead(set: EngineSet, node: ArrayNode): Promise<string | undefined> {
  const { shape } = node.metadata;
  if (shape.reduce((product, length) => product * length, 1) > MOST_ELEMENTS) return undefined;
  const part = await readPart({ set, node, selection: parseSelection("...", shape), cf: false }, CONTEXT);
  return part.failed.size > 0 ? undefined : createHash("sha256").update(part.bytes).digest("hex");
}

export function newHash() {
  const hash = createHash("sha256");
  return { update: (bytes: Uint8Array) => void hash.update(bytes), digest: () => hash.digest("hex") };
}

/** Fingerprints of all chunks that can be read, by key. */
export async function chunkHashes(set: EngineSet): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const node of set.hierarchy.nodes.values()) {
    if (node.kind !== "array") continue;
    const { digest } = await digestArray(set, node, { newHash, perChunk: true }, CONTEXT);
    for (const [name, hash] of Object.entries(digest.chunk_sha256 ?? {})) found.set(`${node.path}/${name}`, hash);
  }
  return found;
}
