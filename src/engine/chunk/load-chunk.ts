/** From a reference to the stored bytes: inline ones decoded, others requested from where the target resolves to. */
import type { ByteRange, CallContext, RequestReport } from "../../core/byte-source.ts";
import { isAbort, toErrorFields, type ErrorFields } from "../../core/errors.ts";
import type { Finding } from "../../core/finding.ts";
import { failureOf } from "../../core/findings/failure.ts";
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
  const replaced = chunk.reference.kind !== "missing" && set.format.mayGenerate(chunk.key);
  return replaced ? { ...loaded, findings: [perhapsReplaced(chunk.key), ...loaded.findings] } : loaded;
}

/** By the reference as it is written. */
async function loadWritten(set: EngineSet, chunk: ChunkReference, context: CallContext): Promise<LoadedChunk> {
  const { reference, key } = chunk;
  switch (reference.kind) {
    case "missing":
      if (set.format.mayGenerate(key)) return { kind: "failed", error: perhapsGenerated(key), findings: [] };
      return { kind: "missing", findings: [] };
    case "inline":
      return { kind: "bytes", bytes: reference.bytes, findings: inlineFindings(chunk) };
    case "bad":
      return { kind: "failed", error: badReference(key, reference.reason, set.format.kind), findings: [] };
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
  const error = badReference(key, "this format has no objects of its own", set.format.kind);
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
    const all: Finding[] = [...findings, ...(told ?? [])].map((one) => ({ ...one, key: chunk.key }));
    if (resolution.kind === "file" && resolution.byName === true) all.push(matchedByName(chunk.key, resolution));
    return { kind: "bytes", bytes, resolution, request, findings: all };
  } catch (error) {
    if (isAbort(error) && context.signal.aborted) throw error;
    return { kind: "failed", resolution, error: toErrorFields(error, `Reading ${chunk.key}`), findings: [] };
  }
}

function badReference(key: string, reason: string, kind: EngineSet["format"]["kind"]): ErrorFields {
  const advice = badReferenceAdvice(kind);
  return {
    code: "reference-bad",
    doing: `Following the reference of ${key}`,
    found: `a reference that cannot be read: ${reason.replace(/\.$/, "")}`,
    ...(advice === undefined ? {} : { advice }),
  };
}

function badReferenceAdvice(kind: EngineSet["format"]["kind"]): string | undefined {
  if (kind === "icechunk") return undefined; // The reason says what to do.
  if (kind === "kerchunk-json") return "Correct it in the reference set; Python's reader fails on this chunk too.";
  return "Write it again with the tool that made the store.";
}

/** `gen` was not rendered to its end: what it would have made is not known. */
export const NOT_GENERATED = "chunk-not-generated";

function perhapsGenerated(key: string): ErrorFields {
  return {
    code: NOT_GENERATED,
    doing: `Looking up the reference of ${key}`,
    found: "none, but the document generates references (“gen”) that were not made, and this may be one of them",
    advice: "See the set's problems for why gen was not rendered to its end.",
  };
}

function perhapsReplaced(key: string): Finding {
  const message =
    "The document generates references (“gen”) that were not made, and this key may be among them: then another reference takes the place of the one shown here.";
  const advice = "See the set's problems for why gen was not rendered to its end.";
  return { code: NOT_GENERATED, severity: "warning", key, message, advice };
}

function matchedByName(key: string, { path }: Extract<Resolution, { kind: "file" }>): Finding {
  const message = `The target as written is not among the files given; ${path} was taken for it because its name is the same.`;
  return { code: "target-matched-by-name", severity: "info", key, message };
}

function inlineFindings({ key, inlineOddity }: ChunkReference): readonly Finding[] {
  if (inlineOddity !== "non-ascii") return [];
  const message =
    "The inline value has characters beyond ASCII. Python's reader takes their UTF-8 bytes; writers such as LINDI mean one byte a character.";
  return [{ code: "inline-non-ascii", severity: "warning", key, message }];
}
