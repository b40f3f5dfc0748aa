/** For tests: sets of the corpus opened as the commands open them, without a network. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { corpus } from "../../core/testing/corpus.ts";
import type { EngineSet } from "../../engine/engine-set.ts";
import { openRefs } from "../open-refs.ts";

export const CONTEXT = { signal: new AbortController().signal, report: () => undefined };

export async function openEntry(entry: string, file: string, target?: string): Promise<EngineSet> {
  const root = join(corpus.folder, entry);
  const options = { json: true, chunks: false, offline: true, choice: undefined, target, root };
  const opened = await openRefs(join(corpus.folder, file), options, CONTEXT);
  if (opened.kind !== "set") throw new Error(opened.title);
  return opened.set;
}

export function newHash() {
  const hash = createHash("sha256");
  return { update: (bytes: Uint8Array) => void hash.update(bytes), digest: () => hash.digest("hex") };
}
