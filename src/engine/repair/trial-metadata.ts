/** An array's metadata as a trial changes them: other codecs, another byte order. */
import type { ArrayMetadata, CodecConfiguration } from "#core/metadata/array-metadata.ts";
import { dataTypeTextV2, type ByteOrder, type DataType, type StructuredField } from "#core/metadata/data-type.ts";
import { failure, findingOfError, WHOLE_SET, type FactsOf, finding, unlessFinding } from "#core/findings/finding.ts";
import { describeJson, isJsonObject, type JsonObject, type JsonValue } from "#core/json/json.ts";
import type { Trial, TrialStep } from "#core/check/lab.ts";
import { parseDataTypeV2 } from "#core/metadata/parse-data-type.ts";
import { parseJson } from "#core/json/parse-json.ts";
import type { ByteRange, CallContext } from "#core/byte-source.ts";
import type { ChunkReference } from "../chunk/chunk-reference.ts";
import type { EngineSet } from "../engine-set.ts";
import { loadChunk, placeOf, type LoadedChunk } from "../chunk/load-chunk.ts";

/** @throws RefscopeError `trial-configuration` where the configuration of a step is not a JSON object */
export function trialMetadata<M extends ArrayMetadata>(metadata: M, { steps, byteOrder }: Trial): M {
  if (steps === undefined && byteOrder === undefined) return metadata;
  const decoding = steps === undefined ? metadata.decoding : trialCodecs(steps);
  if (metadata.zarrFormat === 2) {
    return { ...metadata, decoding, dataType: inByteOrderV2(metadata.dataType, byteOrder) };
  }
  // The codec `bytes` of Zarr v3 states the byte order, and the data type repeats it.
  const said = byteOrder ?? (steps === undefined ? undefined : saidBy(decoding));
  const agreed = byteOrder === undefined ? decoding : decoding.map((codec) => saying(codec, byteOrder));
  return { ...metadata, decoding: agreed, dataType: inByteOrder(metadata.dataType, said) };
}

/** Those that are on, in the order of decoding. Throws as `trialMetadata` does. */
export function trialCodecs(steps: readonly TrialStep[]): readonly CodecConfiguration[] {
  return steps
    .filter(({ off }) => off !== true)
    .map(({ id, configuration }) => ({ id, configuration: trialConfiguration(id, configuration) }));
}

/** "" is an empty object. Throws as `trialMetadata` does. */
function trialConfiguration(id: string, text: string): JsonObject {
  if (text.trim() === "") return new Map();
  const value = parsed(id, text);
  if (isJsonObject(value)) return new Map([...value].filter(([member]) => member !== "id"));
  throw failure("trial-configuration", WHOLE_SET, { codec: id, found: describeJson(value) });
}

function parsed(codec: string, text: string) {
  return unlessFinding(
    () => parseJson(text).value,
    (error) => {
      const facts = { codec, found: undefined, cause: findingOfError(error) };
      throw failure("trial-configuration", WHOLE_SET, facts, { cause: error });
    },
  );
}

function saidBy(decoding: readonly CodecConfiguration[]): Order | undefined {
  const endian = decoding.find(isBytes)?.configuration.get("endian");
  if (endian === "big") return "big";
  return decoding.some(isBytes) ? "little" : undefined;
}

export const isBytes = ({ id }: Pick<CodecConfiguration, "id">): boolean => id === "bytes" || id === "endian";

function saying(codec: CodecConfiguration, byteOrder: string): CodecConfiguration {
  if (!isBytes(codec)) return codec;
  return { ...codec, configuration: new Map([...codec.configuration, ["endian", byteOrder]]) };
}

type Order = Exclude<ByteOrder, "none">;

/** The same type with elements in the byte order given; those without one stay. Its text is that of Zarr v3 still. */
function inByteOrder(type: DataType, byteOrder: Order | undefined): DataType {
  if (byteOrder === undefined || type.kind === "object") return type;
  if (type.kind === "structured") {
    const turned = (field: StructuredField): StructuredField => ({
      ...field,
      type: inByteOrder(field.type, byteOrder),
    });
    return { ...type, fields: type.fields.map(turned) };
  }
  return type.byteOrder === "none" ? type : { ...type, byteOrder };
}

function inByteOrderV2(type: DataType, byteOrder: Order | undefined): DataType {
  if (byteOrder === undefined || type.kind === "object") return type;
  const written = type.kind === "structured" ? parseJson(type.text).value : type.text;
  return parseDataTypeV2(turnedDtype(written, byteOrder));
}

/** The member `dtype` of Zarr v2 (a type string, or a list of fields) in the byte order given. */
export function turnedDtype(dtype: JsonValue, byteOrder: Order): JsonValue {
  if (typeof dtype === "string") return turnedText(dtype, byteOrder);
  if (!Array.isArray(dtype)) return dtype;
  return (dtype as readonly JsonValue[]).map((field) => {
    if (!Array.isArray(field)) return field;
    const [name = null, type = null, ...shape] = field as readonly JsonValue[];
    return [name, turnedDtype(type, byteOrder), ...shape];
  });
}

/** Text of the type in the other byte order; unchanged for types of one byte or without order. */
function turnedText(text: string, byteOrder: Order): string {
  const type = parseDataTypeV2(text);
  if (type.kind === "object" || type.kind === "structured" || type.byteOrder === "none") return text;
  return type.byteOrder === byteOrder ? text : dataTypeTextV2({ ...type, byteOrder });
}

// The stored bytes of a chunk, its range shifted and lengthened as a trial says.

/**
 * Ranges are asked for where they come to lie. What has no range (inline values, whole objects, native chunks) is cut:
 * nothing lies before its beginning, which is an error, nor behind its end, which a finding says.
 *
 * Never throws but for an abort: what went wrong is part of the answer, as code `trial-range`.
 */
export async function loadTrial(
  set: EngineSet,
  chunk: ChunkReference,
  { shift = 0, lengthen = 0 }: Trial,
  context: CallContext,
): Promise<LoadedChunk> {
  const { reference } = chunk;
  if (shift === 0 && lengthen === 0) return loadChunk(set, chunk, context);
  if (reference.kind === "range") {
    const range = movedRange(reference, { shift, lengthen });
    if ("problem" in range) return { kind: "failed", error: impossible(chunk, range), findings: [] };
    return loadChunk(set, { ...chunk, reference: { ...reference, ...range } }, context);
  }
  const loaded = await loadChunk(set, chunk, context);
  return loaded.kind === "bytes" ? cutBytes(loaded, chunk, { shift, lengthen }) : loaded;
}

/** Move of a range, in bytes. */
export type Move = Required<Pick<Trial, "shift" | "lengthen">>;

/** Moves a range; returns the problem if it would begin before 0, or have no bytes. */
export function movedRange(
  { offset, length }: ByteRange,
  { shift, lengthen }: Move,
): ByteRange | FactsOf<"trial-range"> {
  const moved = { offset: offset + shift, length: length + lengthen };
  const isWhole = [shift, lengthen, moved.offset + moved.length].every(Number.isSafeInteger);
  if (!isWhole) return { problem: "fraction", ...moved, shift, lengthen };
  if (moved.offset < 0) return { problem: "before-start", ...moved, shift, lengthen };
  return moved.length <= 0 ? { problem: "no-bytes", ...moved, shift, lengthen } : moved;
}

function impossible(chunk: ChunkReference, facts: FactsOf<"trial-range">) {
  return finding("trial-range", placeOf(chunk), facts);
}

function cutBytes(loaded: LoadedChunk & { readonly kind: "bytes" }, chunk: ChunkReference, move: Move): LoadedChunk {
  const { bytes, findings } = loaded;
  const range = movedRange({ offset: 0, length: bytes.length }, move);
  if ("problem" in range) return { ...loaded, kind: "failed", error: impossible(chunk, range), findings };
  const { offset, length } = range;
  if (offset >= bytes.length) {
    const error = impossible(chunk, { problem: "past-end", offset, length, ...move });
    return { ...loaded, kind: "failed", error, findings };
  }
  const isCut = offset + length > bytes.length;
  const cut = () => finding("trial-cut", placeOf(chunk), { size: bytes.length });
  const stored = bytes.subarray(offset, offset + length);
  return { ...loaded, bytes: stored, findings: isCut ? [...findings, cut()] : findings };
}
