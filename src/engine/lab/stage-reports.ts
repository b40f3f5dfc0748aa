/** What is told of each stage of a decode: sizes, time, what its bytes look like, and what went wrong in full. */
import type { ErrorFields } from "../../core/errors.ts";
import type { StageReport } from "../../core/reading.ts";
import type { LeaveStage, LeftStage, PipelineStage } from "../../codecs/pipeline.ts";
import { lookAt } from "./look.ts";
import { firstBytes } from "./first-bytes.ts";
import { findSignature } from "./signatures/index.ts";

const HEAD_BYTES = 64;

export function stageReports(stages: readonly PipelineStage[]): readonly StageReport[] {
  return stages.map((stage, at) => stageReport(stage, at, stages));
}

function stageReport(stage: PipelineStage, at: number, stages: readonly PipelineStage[]): StageReport {
  const { id, label, configuration, bytesIn, bytes, left, milliseconds, error } = stage;
  const gave = bytes === undefined ? left : leftOf(bytes);
  return {
    id,
    label,
    configuration,
    bytesIn,
    ...gave,
    ...(milliseconds === undefined ? {} : { milliseconds }),
    ...(error === undefined ? {} : { error: explained(error, stages, at) }),
  };
}

const leftOf = (bytes: Uint8Array<ArrayBuffer>): LeftStage => ({
  bytesOut: bytes.length,
  head: bytes.slice(0, HEAD_BYTES),
  look: lookAt(bytes),
});

/** Keeps the stages of one reading up to so many bytes; of those beyond, what they look like. */
export function keepWithin(most: number): LeaveStage {
  const kept = new Set<ArrayBuffer>();
  let total = 0;
  return (stage) => {
    const { bytes, ...rest } = stage;
    if (bytes === undefined) return stage;
    // The stored bytes are kept by who loaded them.
    const more = kept.size === 0 || kept.has(bytes.buffer) ? 0 : bytes.buffer.byteLength;
    if (total + more > most) return { ...rest, left: leftOf(bytes) };
    total += more;
    kept.add(bytes.buffer);
    return stage;
  };
}

/**
 * The error of a decode, which its last stage has too, in full: the step and its configuration, and the first bytes that
 * it met; where a stage gave bytes of the wrong length, the first of these.
 */
export function explainedFailure(error: ErrorFields, stages: readonly PipelineStage[]): ErrorFields {
  const at = stages.length - 1;
  return stages[at]?.error === error ? explained(error, stages, at) : error;
}

function explained(error: ErrorFields, stages: readonly PipelineStage[], at: number): ErrorFields {
  const stage = stages[at];
  const input = stages[at - 1]?.bytes;
  const seen = stage?.bytes ?? input;
  const doing = stage?.bytes === undefined ? withStep(error.doing, stages, at) : error.doing;
  const told =
    seen === undefined || ABOUT_METADATA.has(error.code) ? undefined : toldOf(seen, stage?.bytes === undefined);
  const found = [error.found?.replace(/\.$/, ""), told].filter((part) => part !== undefined).join("; ");
  return { ...error, doing, ...(found === "" ? {} : { found }) };
}

/** Errors that are there whatever the bytes. */
const ABOUT_METADATA: ReadonlySet<string> = new Set(["codec-configuration", "codec-chain", "object-codec-missing"]);

function withStep(doing: string, stages: readonly PipelineStage[], at: number): string {
  const configuration = stages[at]?.configuration ?? "";
  const settings = configuration === "" || configuration === "{}" ? "without settings" : shortened(configuration);
  return `${doing}, step ${at} of the decode, ${settings}`;
}

const LONGEST = 120;

const shortened = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);

function toldOf(bytes: Uint8Array, isInput: boolean): string {
  const length = bytes.length === 1 ? "1 byte" : `${bytes.length} bytes`;
  if (isInput && bytes.length === 0) return "the step was given no bytes";
  const signature = findSignature(bytes);
  const looks = signature === undefined ? "" : `, which looks like ${signature.label}`;
  const given = isInput ? `the step was given ${length}, which begin` : "they begin";
  return bytes.length === 0 ? "none" : `${given} ${firstBytes(bytes)}${looks}`;
}
