/** From a reference to the stored bytes: inline ones decoded, others requested from where the target resolves to. */
import type { ByteRange, CallContext, RequestReport } from "../../core/byte-source.ts";
import { isAbort, toErrorFields, type ErrorFields } from "../../core/errors.ts";
import { failure, failureOf } from "../../core/findings/failure.ts";
import { finding, placed, type Code, type FactsOf, type Finding } from "../../core/findings/finding.ts";
import { chunkAt, type Place } from "../../core/findings/place.ts";
import type { Resolution } from "../../core/location.ts";
import type { Reference } from "../../core/reference.ts";
import type { ChunkReference } from "./chunk-reference.ts";
import type { EngineSet } from "../engine-set.ts";

export type LoadedChunk = LoadReport &
  (
    | { readonly kind: "missing" }
    | { readonly kind: "bytes"; readonly bytes: Uint8Array<ArrayBuffer> }
    | { readonly kind: "failed"; readonly error: ErrorFields }
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
  const perhapsReplaced = chunkFinding("chunk-not-generated", chunk, { written: true });
  return { ...loaded, findings: [perhapsReplaced, ...loaded.findings] };
}

/** What was found while its chunk was read: at the chunk, unless its place says more. */
export function aboutChunk(found: Finding, chunk: ChunkReference): Finding {
  return { ...placed(found, placeOf(chunk)), array: chunk.node.path, key: chunk.key };
}

export function chunkFinding<C extends Code>(code: C, chunk: ChunkReference, facts: FactsOf<C>): Finding {
  return aboutChunk(finding(code, placeOf(chunk), facts), chunk);
}

export const placeOf = ({ node, coordinates }: Pick<ChunkReference, "node" | "coordinates">): Place =>
  chunkAt(node.path, coordinates);

/** By the reference as it is written. */
async function loadWritten(set: EngineSet, chunk: ChunkReference, context: CallContext): Promise<LoadedChunk> {
  const { reference, key } = chunk;
  switch (reference.kind) {
    case "missing":
      if (set.format.mayGenerate?.(key) === true) {
        const { fields } = failure("chunk-not-generated", placeOf(chunk), { written: false });
        return { kind: "failed", error: fields, findings: [] };
      }
      return { kind: "missing", findings: [] };
    case "inline":
      return { kind: "bytes", bytes: reference.bytes, findings: inlineFindings(chunk) };
    case "bad":
      return { kind: "failed", error: badReference(set, chunk, reference.reason), findings: [] };
    case "native":
      return loadNative(set, chunk, reference, context);
    case "whole":
      return loadTarget(set, chunk, reference.target, undefined, context);
    case "range":
      return loadTarget(set, chunk, reference.target, reference, context);
  }
}

function loadTarget(
  set: EngineSet,
  chunk: ChunkReference,
  target: string | null,
  range: ByteRange | undefined,
  context: CallContext,
): Promise<LoadedChunk> {
  const resolution = set.targets.resolve(target);
  if (resolution.kind !== "unresolved") return loadFrom(set, chunk, resolution, range, context);
  const error = failureOf(resolution.finding).fields;
  return Promise.resolve({ kind: "failed", resolution, error, findings: [] });
}

/** An object of the store. */
function loadNative(
  set: EngineSet,
  chunk: ChunkReference,
  { key, range }: Extract<Reference, { kind: "native" }>,
  context: CallContext,
): Promise<LoadedChunk> {
  const resolution = set.resolveKey?.(key);
  if (resolution !== undefined) return loadFrom(set, chunk, resolution, range, context);
  const error = badReference(set, chunk, "this format has no objects of its own");
  return Promise.resolve({ kind: "failed", error, findings: [] });
}

const isVirtual = ({ reference }: ChunkReference): boolean => reference.kind === "range" || reference.kind === "whole";

async function loadFrom(
  set: EngineSet,
  chunk: ChunkReference,
  resolution: Resolution,
  range: ByteRange | undefined,
  context: CallContext,
): Promise<LoadedChunk> {
  try {
    const asked = range === undefined ? undefined : { offset: range.offset, length: range.length };
    const { bytes, request, findings } = await set.targets.read(resolution, asked, context);
    const told = isVirtual(chunk) ? await set.targetFindings?.(chunk.node.path, chunk.ordinal, request) : undefined;
    const all: Finding[] = [...findings, ...(told ?? [])].map((one) => aboutChunk(one, chunk));
    if (resolution.kind === "file" && resolution.byName === true) {
      all.push(chunkFinding("target-matched-by-name", chunk, { file: resolution.path }));
    }
    return { kind: "bytes", bytes, resolution, request, findings: all };
  } catch (error) {
    if (isAbort(error) && context.signal.aborted) throw error;
    return { kind: "failed", resolution, error: toErrorFields(error, `Reading ${chunk.key}`), findings: [] };
  }
}

function badReference({ format }: EngineSet, chunk: ChunkReference, reason: string): ErrorFields {
  return failure("reference-bad", placeOf(chunk), { reason, format: format.kind }).fields;
}

function inlineFindings(chunk: ChunkReference): readonly Finding[] {
  if (chunk.inlineOddity !== "non-ascii") return [];
  return [chunkFinding("inline-non-ascii", chunk, {})];
}
