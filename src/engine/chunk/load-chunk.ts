/** From a reference to the stored bytes: inline ones decoded, others requested from where the target resolves to. */
import { addressOf, fileByName } from "#core/byte-source.ts";
import type { ByteRange, CallContext, RequestReport, Resolution } from "#core/byte-source.ts";
import { chunkAt, finding, findingOfError, isAbort, placed } from "#core/findings/finding.ts";
import type { ChunkPlace, Finding } from "#core/findings/finding.ts";
import { outOfReach } from "#core/findings/out-of-reach.ts";
import { writeJson } from "#core/json/parse-json.ts";
import type { Reference } from "#core/table/reference.ts";
import { fillKind } from "#core/values/fill.ts";
import type { ChunkReference } from "./chunk-reference.ts";
import type { EngineSet } from "../engine-set.ts";
import { readThere } from "./read-there.ts";

export type LoadedChunk = LoadReport &
  (
    | { readonly kind: "missing" }
    | { readonly kind: "bytes"; readonly bytes: Uint8Array<ArrayBuffer> }
    | { readonly kind: "failed"; readonly error: Finding }
  );

interface LoadReport {
  readonly resolution?: Resolution;
  readonly request?: RequestReport;
  readonly findings: readonly Finding[];
}

/** Never throws but for an abort: what went wrong is part of the answer. */
export async function loadChunk(set: EngineSet, chunk: ChunkReference, context: CallContext): Promise<LoadedChunk> {
  const loaded = await loadWritten(set, chunk, context);
  if (chunk.reference.kind === "missing" || set.format.mayGenerate?.(chunk.key) !== true) return loaded;
  const perhapsReplaced = finding("chunk-not-generated", placeOf(chunk), { written: true });
  return { ...loaded, findings: [perhapsReplaced, ...loaded.findings] };
}

/** Places a finding at the chunk that was read, unless its place is narrower. */
export function aboutChunk(found: Finding, chunk: ChunkReference): Finding {
  const { place } = found;
  if (place.kind === "target") return { ...found, place: { ...place, chunk: placeOf(chunk) } };
  return placed(found, placeOf(chunk));
}

export const placeOf = ({ node, coordinates }: Pick<ChunkReference, "node" | "coordinates">): ChunkPlace =>
  chunkAt(node.path, coordinates);

/** Loads by the reference as written. */
async function loadWritten(set: EngineSet, chunk: ChunkReference, context: CallContext): Promise<LoadedChunk> {
  const { reference, key } = chunk;
  const task = { set, chunk, context };
  switch (reference.kind) {
    case "missing":
      if (set.format.mayGenerate?.(key) === true) {
        const error = finding("chunk-not-generated", placeOf(chunk), { written: false });
        return { kind: "failed", error, findings: [] };
      }
      return { kind: "missing", findings: [] };
    case "inline":
      return { kind: "bytes", bytes: reference.bytes, findings: inlineFindings(chunk) };
    case "bad":
      return { kind: "failed", error: badReference(set, chunk, reference.reason), findings: [] };
    case "native":
      return loadNative(task, reference);
    case "whole":
      return loadTarget(task, reference.target);
    case "range":
      return loadTarget(task, reference.target, reference);
  }
}

interface Task {
  readonly set: EngineSet;
  readonly chunk: ChunkReference;
  readonly context: CallContext;
}

async function loadTarget(task: Task, target: string | null, range?: ByteRange): Promise<LoadedChunk> {
  const resolution = task.set.targets.resolve(target);
  if (resolution.kind !== "unresolved") return loadFrom(task, resolution, range);
  return { kind: "failed", resolution, error: resolution.finding, findings: [] };
}

/** An object of the store. */
async function loadNative(task: Task, { key, range }: Extract<Reference, { kind: "native" }>): Promise<LoadedChunk> {
  const { set, chunk } = task;
  const resolution = set.resolveKey?.(key);
  if (resolution !== undefined) {
    const loaded = await loadFrom(task, resolution, range);
    // Something says that it is there, or nobody would have asked for it.
    const isGone = loaded.kind === "failed" && outOfReach(loaded.error) === "absent";
    return isGone ? { ...loaded, error: missingObject(key, loaded.error, placeOf(chunk)) } : loaded;
  }
  const error = badReference(set, chunk, finding("reference-malformed", placeOf(chunk), NO_STORE));
  return { kind: "failed", error, findings: [] };
}

function missingObject(key: string, { facts }: Finding, chunk: ChunkPlace): Finding {
  const status = typeof facts["status"] === "number" ? facts["status"] : undefined;
  return finding("native-object-missing", { kind: "target", target: key, chunk }, { status });
}

const isVirtual = ({ reference }: ChunkReference): boolean => reference.kind === "range" || reference.kind === "whole";

async function loadFrom(task: Task, resolution: Resolution, range?: ByteRange): Promise<LoadedChunk> {
  const { set, chunk, context } = task;
  try {
    const asked = range === undefined ? undefined : { offset: range.offset, length: range.length };
    const { bytes, request, findings } = await readThere(set, resolution, asked, context);
    noteAnswer(task, resolution, true);
    const ofTarget = isVirtual(chunk) ? await set.targetFindings?.(chunk.node.path, chunk.ordinal, request) : undefined;
    const all: Finding[] = [...findings, ...(ofTarget ?? [])].map((one) => aboutChunk(one, chunk));
    const file = fileByName(resolution);
    if (file !== undefined) all.push(finding("target-matched-by-name", placeOf(chunk), { file }));
    return { kind: "bytes", bytes, resolution, request, findings: all };
  } catch (error) {
    if (isAbort(error) && context.signal.aborted) throw error;
    noteAnswer(task, resolution, false);
    return { kind: "failed", resolution, error: findingOfError(error, `Reading ${chunk.key}`), findings: [] };
  }
}

/**
 * Objects of a store are no targets: each chunk has its own. One range that failed says nothing of a target that
 * answered.
 */
function noteAnswer({ set, chunk }: Task, resolution: Resolution, answered: boolean): void {
  const { answers } = set.met;
  if (!isVirtual(chunk) || resolution.kind === "unresolved") return;
  const target = addressOf(resolution);
  answers.set(target, answered || answers.get(target) === true);
}

/** No reader makes one: a format with objects of its own resolves their keys. */
const NO_STORE = { expected: "a reference that this format has", found: "an object of a store" };

function badReference({ format }: EngineSet, chunk: ChunkReference, cause: Finding): Finding {
  return finding("reference-bad", placeOf(chunk), { cause, format: format.kind });
}

function inlineFindings(chunk: ChunkReference): readonly Finding[] {
  if (chunk.inlineOddity !== "non-ascii") return [];
  return [finding("inline-non-ascii", placeOf(chunk), {})];
}

// Findings about a chunk without reference: its values are the fill value.

export function missingFindings(chunk: ChunkReference): readonly Finding[] {
  if (chunk.reference.kind !== "missing") return [];
  const kind = fillKind(chunk.node.metadata);
  if (kind === "null") return [finding("fill-value-undefined", placeOf(chunk), { chunks: 1, hashedAs: undefined })];
  return kind === "value" ? [] : [unfitFill(chunk)];
}

export function unfitFill(chunk: ChunkReference): Finding {
  const { fillValue, dataType } = chunk.node.metadata;
  const facts = { filled: "chunk", fillValue: writeJson(fillValue), dataType: dataType.text } as const;
  return finding("fill-value-unfit", placeOf(chunk), facts);
}
