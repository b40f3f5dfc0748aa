/** Configurations of codecs that are known well enough for fields; all of them can be edited as JSON text. */
import { RefscopeError } from "../../core/errors.ts";
import type { JsonObject, JsonValue } from "../../core/json.ts";
import { writeJson } from "../../core/json-write.ts";
import { parseJson } from "../../core/parse-json.ts";

export interface CodecField {
  /** Name of the member. */
  readonly name: string;
  readonly kind: "number" | "text" | "json";
  /** What is often written there; with `only`, what alone may be. */
  readonly often: readonly string[];
  readonly only?: true;
}

const SIZES = ["1", "2", "4", "8", "12", "16"];
const TYPES = ["|i1", "|u1", "<i2", "<u2", "<i4", "<u4", "<i8", "<f4", "<f8", ">i2", ">i4", ">f4", ">f8"];

const size = (name: string): CodecField => ({ name, kind: "number", often: SIZES });
const number = (name: string): CodecField => ({ name, kind: "number", often: [] });
const dtype = (name: string): CodecField => ({ name, kind: "text", often: TYPES });
const choice = (name: string, often: readonly string[]): CodecField => ({ name, kind: "text", often, only: true });

/** By the codec's name without `numcodecs.`: the members that decoding depends on. */
const FIELDS: ReadonlyMap<string, readonly CodecField[]> = new Map([
  ["shuffle", [size("elementsize")]],
  ["bitshuffle", [size("elementsize"), number("blocksize")]],
  ["delta", [dtype("dtype"), dtype("astype")]],
  ["fixedscaleoffset", [number("offset"), number("scale"), dtype("dtype"), dtype("astype")]],
  ["quantize", [dtype("dtype"), dtype("astype")]],
  ["astype", [dtype("decode_dtype"), dtype("encode_dtype")]],
  ["bytes", [choice("endian", ["little", "big"])]],
  ["endian", [choice("endian", ["little", "big"])]],
  ["transpose", [{ name: "order", kind: "json", often: [] }]],
]);

export function codecFields(id: string): readonly CodecField[] {
  return FIELDS.get(id.replace(/^(?:numcodecs|imagecodecs)[._]/, "")) ?? [];
}

/** Why a text is no configuration; one sentence. Nothing at all is an empty one. */
export function configurationProblem(text: string): string | undefined {
  if (text.trim() === "") return undefined;
  try {
    return parseJson(text).value instanceof Map ? undefined : "A configuration is a JSON object, such as {}.";
  } catch (error) {
    const found = error instanceof RefscopeError ? (error.fields.found ?? error.message) : String(error);
    return `This is no JSON: ${found.replace(/\.$/, "")}.`;
  }
}

function configurationOf(text: string): JsonObject | undefined {
  if (text.trim() === "") return new Map();
  try {
    const { value } = parseJson(text);
    return value instanceof Map ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

/** A member as a field shows it: text bare, anything else as JSON; empty where it is absent. */
export function memberText(configuration: string, name: string): string {
  const value = configurationOf(configuration)?.get(name);
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : writeJson(value);
}

/**
 * The configuration with a member set as typed; empty takes it out. `undefined` where what was typed is no value of the
 * field, or the configuration as it stands is none.
 */
export function withMember(configuration: string, field: CodecField, typed: string): string | undefined {
  const before = configurationOf(configuration);
  if (before === undefined) return undefined;
  const after = new Map(before);
  if (typed.trim() === "") after.delete(field.name);
  else {
    const value = typedValue(field, typed.trim());
    if (value === undefined) return undefined;
    after.set(field.name, value);
  }
  return after.size === 0 ? "" : writeJson(after);
}

function typedValue({ kind }: CodecField, typed: string): JsonValue | undefined {
  if (kind === "text") return typed;
  try {
    const { value } = parseJson(typed);
    if (kind === "json") return value;
    return typeof value === "number" || typeof value === "bigint" ? value : undefined;
  } catch {
    return undefined;
  }
}
