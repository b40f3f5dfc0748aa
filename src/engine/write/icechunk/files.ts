/**
 * Any set as an Icechunk repository, file by file: a commit onto nothing, the first snapshot, and `repo` last, without
 * which there is no repository.
 */
import { compressZstd } from "#codecs/zstd/zstd-encoder.ts";
import type { CallContext } from "#core/byte-source.ts";
import { firstFiles, newRepo } from "#formats/icechunk/write/index.ts";
import type { EngineSet } from "#engine/engine-set.ts";
import { appendFiles } from "./append-files.ts";
import type { OutputFile } from "./columns.ts";
import { configurationFor } from "./locations.ts";
import { type IcechunkPlan, planIcechunk } from "./plan.ts";

/** The message of a commit for which nobody gave one. */
export const writtenMessage = ({ format }: EngineSet): string => `Written from ${format.label}`;

const EMPTY_SNAPSHOT = { nodes: [], manifestSizes: new Map(), manifestReferences: new Map(), time: undefined };

/** The plan with its files. Throws as `planIcechunk` does. */
export async function icechunkForm(
  set: EngineSet,
  {
    prefix,
    message = writtenMessage(set),
  }: { readonly prefix?: string | undefined; readonly message?: string | undefined },
  context: CallContext,
) {
  const plan = await planIcechunk(set, { prefix }, context);
  return { ...plan, files: () => icechunkFiles(plan, message, context) };
}

/** Throws what reading a chunk that is copied throws; an `AbortError`. */
export async function* icechunkFiles(
  plan: IcechunkPlan,
  message: string,
  context: CallContext,
): AsyncGenerator<OutputFile> {
  const { nodes, containers } = plan;
  const commit = yield* appendFiles({ plan, snapshot: EMPTY_SNAPSHOT, fresh: nodes, grown: [] }, message, context);
  for (const { path, bytes } of await firstFiles(commit.time, compressZstd)) yield { path, bytes, references: 0 };
  context.signal.throwIfAborted();
  const config = containers.size === 0 ? undefined : configurationFor(containers);
  const { path, bytes } = await newRepo({ ...commit, metadata: new Map() }, config, compressZstd);
  yield { path, bytes, references: 0 };
}
