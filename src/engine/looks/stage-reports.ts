/** A report on each stage of a decode: sizes, time, what its bytes look like, and what went wrong in full. */
import type { LeaveStage, LeftStage, PipelineStage } from "#codecs/pipeline.ts";
import type { BytesSeen, DecodeFacts } from "#core/findings/catalogue/codec.ts";
import { type Place, placed, withFacts } from "#core/findings/finding.ts";
import type { StageReport } from "#core/reading.ts";
import { findSignature, lookAt } from "./look.ts";

const HEAD_BYTES = 64;

/** @param place the chunk */
export function stageReports(stages: readonly PipelineStage[], place: Place): readonly StageReport[] {
  return stages.map((stage, at) => stageReport(stage, at, stages, place));
}

function stageReport(stage: PipelineStage, at: number, stages: readonly PipelineStage[], place: Place): StageReport {
  const { id, label, configuration, bytesIn, bytes, left, milliseconds, error } = stage;
  const gave = bytes === undefined ? left : leftOf(bytes);
  return {
    id,
    label,
    configuration,
    bytesIn,
    ...gave,
    ...(milliseconds === undefined ? {} : { milliseconds }),
    ...(error === undefined ? {} : { error: placed(withFacts(error, decodeFacts(stages, at)), place) }),
  };
}

const leftOf = (bytes: Uint8Array<ArrayBuffer>): LeftStage => ({
  bytesOut: bytes.length,
  head: bytes.slice(0, HEAD_BYTES),
  look: lookAt(bytes),
});

/** Keeps the stages of one reading up to a limit in bytes; beyond it, only what they look like. */
export function keepWithin(limit: number): LeaveStage {
  const kept = new Set<ArrayBuffer>();
  let total = 0;
  return (stage) => {
    const { bytes, ...rest } = stage;
    if (bytes === undefined) return stage;
    // The loader keeps the stored bytes.
    const more = kept.size === 0 || kept.has(bytes.buffer) ? 0 : bytes.buffer.byteLength;
    if (total + more > limit) return { ...rest, left: leftOf(bytes) };
    total += more;
    kept.add(bytes.buffer);
    return stage;
  };
}

/** The step and its configuration, and the bytes that it met; or those of the wrong length that it gave. */
function decodeFacts(stages: readonly PipelineStage[], at: number): DecodeFacts {
  const stage = stages[at];
  if (stage?.bytes !== undefined) return { gave: bytesSeen(stage.bytes) };
  const input = stages[at - 1]?.bytes;
  const given = input === undefined ? {} : { given: bytesSeen(input) };
  return { step: at, configuration: stage?.configuration ?? "", ...given };
}

function bytesSeen(bytes: Uint8Array): BytesSeen {
  return { size: bytes.length, start: firstBytes(bytes), like: findSignature(bytes)?.label };
}

// The first bytes of something in a sentence: as hexadecimal and as ASCII.

const SHOWN = 16;

/** `78 9c 63 00 “x.c.”`; what is not printable ASCII is a dot. At most 16 bytes, then `…`. */
function firstBytes(bytes: Uint8Array): string {
  const first = [...bytes.subarray(0, SHOWN)];
  const hexadecimal = first.map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
  return `${hexadecimal}${bytes.length > SHOWN ? " …" : ""} “${asciiText(bytes.subarray(0, SHOWN))}”`;
}

/** Printable ASCII as it is, other bytes as dots. */
function asciiText(bytes: Uint8Array): string {
  return [...bytes].map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : ".")).join("");
}
