/** A report on each stage of a decode: sizes, time, what its bytes look like, and what went wrong in full. */
import type { LeaveStage, LeftStage, PipelineStage } from "../../codecs/pipeline.ts";
import type { BytesSeen, DecodeFacts } from "../../core/findings/catalogue/codec.ts";
import { type Place, placed, withFacts } from "../../core/findings/finding.ts";
import type { BytesLook } from "../../core/check/lab.ts";
import type { StageReport } from "../../core/reading.ts";
import { findSignature } from "./signatures/index.ts";

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

// What bytes look like, whatever they are said to be: their entropy, and the format whose signature they begin with.

/** Most bytes counted, from the beginning. */
const MAX_COUNTED = 16 * 1024 * 1024;

/** Pure. The time is that of one histogram. */
export function lookAt(bytes: Uint8Array): BytesLook {
  const counted = Math.min(bytes.length, MAX_COUNTED);
  const signature = findSignature(bytes);
  const isSame = signature?.name === "zeros" || signature?.name === "constant";
  const entropy = isSame ? 0 : entropyOf(histogram(bytes.subarray(0, counted)), counted);
  return { entropy, counted, ...(signature === undefined ? {} : { signature }) };
}

/**
 * How often each of the 256 bytes occurs. Counted in four tables in turn: bytes that repeat would else wait for their own
 * count to be written back.
 */
export function histogram(bytes: Uint8Array): Uint32Array {
  const [a, b, c, d] = [new Uint32Array(256), new Uint32Array(256), new Uint32Array(256), new Uint32Array(256)];
  const whole = bytes.length - (bytes.length % 4);
  for (let at = 0; at < whole; at += 4) {
    (a[bytes[at] as number] as number) += 1;
    (b[bytes[at + 1] as number] as number) += 1;
    (c[bytes[at + 2] as number] as number) += 1;
    (d[bytes[at + 3] as number] as number) += 1;
  }
  for (let at = whole; at < bytes.length; at += 1) (a[bytes[at] as number] as number) += 1;
  return a.map((count, byte) => count + (b[byte] as number) + (c[byte] as number) + (d[byte] as number));
}

/** Shannon entropy in bits a byte. 0 where nothing was counted. */
export function entropyOf(counts: Uint32Array, total: number): number {
  let bits = 0;
  for (const count of counts) if (count > 0) bits -= (count / total) * Math.log2(count / total);
  return Math.abs(bits);
}
