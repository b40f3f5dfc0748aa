/** An array's metadata as a trial changes them: other codecs, another byte order. */
import type { ArrayMetadata, CodecConfiguration } from "#core/metadata/array-metadata.ts";
import { dataTypeTextV2, type ByteOrder, type DataType, type StructuredField } from "#core/metadata/data-type.ts";
import { failure, findingOfError, RefscopeError, WHOLE_SET } from "#core/findings/finding.ts";
import { describeJson, isJsonObject, type JsonObject, type JsonValue } from "#core/json/json.ts";
import type { Trial, TrialStep } from "#core/check/lab.ts";
import { parseDataTypeV2 } from "#core/metadata/parse-data-type.ts";
import { parseJson } from "#core/json/parse-json.ts";

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
export function trialConfiguration(id: string, text: string): JsonObject {
  if (text.trim() === "") return new Map();
  const value = parsed(id, text);
  if (isJsonObject(value)) return new Map([...value].filter(([member]) => member !== "id"));
  throw failure("trial-configuration", WHOLE_SET, { codec: id, found: describeJson(value) });
}

function parsed(codec: string, text: string) {
  try {
    return parseJson(text).value;
  } catch (error) {
    if (!(error instanceof RefscopeError)) throw error;
    const facts = { codec, found: undefined, cause: findingOfError(error) };
    throw failure("trial-configuration", WHOLE_SET, facts, { cause: error });
  }
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
