/** Configuration of imagecodecs' predictors that describes the array: `shape`, `dtype`, `axis` and `dist`. */
import type { ScalarType } from "#core/metadata/data-type.ts";
import type { JsonObject, JsonValue } from "#core/json/json.ts";
import { badConfiguration, brief, decodeFailed, integerMember, numpyType, stringMember } from "../codec.ts";

export interface PredictorLayout {
  readonly type: ScalarType;
  /** Absent = one dimension, as long as the bytes are. */
  readonly shape: readonly number[] | undefined;
  /** From 0. */
  readonly axis: number;
  readonly dist: number;
}

/** Throws `codec-configuration`. Without a type the elements are bytes, or with a shape float64, as NumPy has it. */
export function layoutMember(codec: string, configuration: JsonObject): PredictorLayout {
  const shape = shapeMember(codec, configuration);
  const text = stringMember(codec, configuration, "dtype") ?? (shape === undefined ? "|u1" : "<f8");
  const type = typeOf(codec, text);
  const rank = shape?.length ?? 1;
  const written = integerMember(codec, configuration, "axis", {
    minimum: -(2 ** 31),
    maximum: 2 ** 31 - 1,
    otherwise: -1,
  });
  if (rank > 0 && (written >= rank || written < -rank)) {
    throw badConfiguration(
      codec,
      "axis",
      `from ${-rank} to ${rank - 1}, as the shape has ${rank} lengths`,
      String(written),
    );
  }
  const axis = written < 0 ? Math.max(0, written + rank) : written;
  const dist = integerMember(codec, configuration, "dist", { minimum: -(2 ** 31), maximum: 2 ** 31 - 1, otherwise: 1 });
  return { type, shape, axis, dist };
}

function shapeMember(codec: string, configuration: JsonObject): readonly number[] | undefined {
  const value = configuration.get("shape") ?? null;
  if (value === null) return undefined;
  const list = Array.isArray(value) ? (value as readonly JsonValue[]) : [null];
  const isLength = (length: JsonValue): length is number => Number.isSafeInteger(length) && (length as number) >= 0;
  if (list.every(isLength) && list.length <= 64) return list;
  throw badConfiguration(codec, "shape", "a list of lengths", brief(value));
}

function typeOf(codec: string, text: string): ScalarType {
  const type = numpyType(text);
  if (type !== undefined && type.kind !== "object" && type.kind !== "structured" && type.itemSize > 0) return type;
  throw badConfiguration(codec, "dtype", "a numeric type such as <u2 or <f4", brief(text));
}

/** Throws `decode-failed` where the bytes are not as many as the shape says. */
export function checkedLength(codec: string, length: number, { type, shape }: PredictorLayout): void {
  const expected = shape?.reduce((product, one) => product * one, type.itemSize);
  if (expected === undefined ? length % type.itemSize === 0 : length === expected) return;
  const layout = `${type.itemSize}-byte elements of shape [${(shape ?? []).join(", ")}]`;
  throw decodeFailed(codec, `${expected ?? "whole"} bytes, for ${layout}`, `${length} bytes`);
}
