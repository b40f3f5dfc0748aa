/** Reads the existing part of a range that reaches past the end of its target. */
import type { ByteRange, CallContext, ReadBytes, Resolution } from "#core/byte-source.ts";
import { factsOfFailure, type Finding, finding, type RefscopeError } from "#core/findings/finding.ts";
import type { Reading } from "#core/reading.ts";
import type { KeptReading } from "#core/table/reference.ts";
import type { EngineSet } from "../engine-set.ts";

/**
 * Reads a range as fsspec does (`cat_file` of its http and local file systems takes whatever comes): from its offset to
 * the end of the target, with a finding (`short-read`). It stays an error if nothing is there (`range-past-end`), if
 * the target goes on but the answer does not, and for sets that fsspec does not read: Icechunk refuses such an object.
 */
export async function readThere(
  { targets, format }: Pick<EngineSet, "targets" | "format">,
  resolution: Resolution,
  range: ByteRange | undefined,
  context: CallContext,
): Promise<ReadBytes> {
  try {
    return await targets.read(resolution, range, context);
  } catch (error) {
    const facts = factsOfFailure(error, "short-read");
    if (facts === undefined || range === undefined || format.takesShortRanges !== true) throw error;
    if (facts.received <= 0 || (facts.size !== undefined && facts.size >= facts.end)) throw error;
    const there = { offset: range.offset, length: facts.received };
    const { bytes, request, findings } = await targets.read(resolution, there, context);
    const { place } = (error as RefscopeError).finding;
    const short: Finding = finding("short-read", place, { ...facts, received: bytes.length, handedOn: true });
    const isAlone = (request.readsServed ?? 1) === 1;
    const asked = isAlone ? { ...request, range, bytesExpected: range.length } : request;
    return { bytes, request: asked, findings: [short, ...findings] };
  }
}

/** A short read explains later codec errors, so it takes precedence. */
export const shortRead = (findings: readonly Finding[]): Finding | undefined =>
  findings.find(({ code }) => code === "short-read");

/** Facts of a reading that stay known when its bytes and values are gone. */
export function keptReading({
  outcome,
  error,
  stages,
  findings,
}: Pick<Reading, "outcome" | "error" | "stages" | "findings">): KeptReading {
  const why = shortRead(findings) ?? error;
  if (outcome === "failed") return why === undefined ? { result: "failed" } : { result: "failed", why };
  const bytes = stages.at(-1)?.bytesOut;
  return bytes === undefined ? { result: "ok" } : { result: "ok", bytes };
}
