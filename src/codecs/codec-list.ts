/** Lists in the configuration of `sharding_indexed`: codecs and a shape. All throw RefscopeError `codec-configuration`. */
import type { CodecConfiguration } from "../core/array-metadata.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../core/json.ts";
import { brief } from "./configuration.ts";
import { badConfiguration } from "./failure.ts";

const MAX_CODECS = 64;
const NONE: JsonObject = new Map();

/** A list of codecs as Zarr v3 writes it (§"Codecs"), in the order of decoding. */
export function codecListMember(
  codec: string,
  configuration: JsonObject,
  member: string,
): readonly CodecConfiguration[] {
  const value = configuration.get(member);
  if (!Array.isArray(value)) throw badConfiguration(codec, member, "a list of codecs", brief(value));
  const list = value as readonly JsonValue[];
  if (list.length === 0 || list.length > MAX_CODECS) {
    throw badConfiguration(codec, member, `1 to ${MAX_CODECS} codecs`, String(list.length));
  }
  return list.map((item, at) => readCodec(codec, item, `${member}/${at}`)).toReversed();
}

function readCodec(codec: string, value: JsonValue, pointer: string): CodecConfiguration {
  if (typeof value === "string") return { id: value, configuration: NONE };
  if (!isJsonObject(value))
    throw badConfiguration(codec, pointer, "a codec: a name, or an object with a name", brief(value));
  const [id, inner] = [value.get("name"), value.get("configuration") ?? NONE];
  if (typeof id !== "string" || id === "") throw badConfiguration(codec, `${pointer}/name`, "a name", brief(id));
  if (!isJsonObject(inner)) throw badConfiguration(codec, `${pointer}/configuration`, "an object", brief(inner));
  return { id, configuration: inner };
}

/** A shape with lengths of at least 1, each of which divides that of `outer`. */
export function dividingShapeMember(
  codec: string,
  configuration: JsonObject,
  member: string,
  outer: readonly number[],
): readonly number[] {
  const value = configuration.get(member);
  const list: readonly JsonValue[] = Array.isArray(value) ? value : [];
  const isShape = Array.isArray(value) && list.every((item) => Number.isSafeInteger(item) && (item as number) > 0);
  const shape = list as readonly number[];
  const divides = shape.length === outer.length && shape.every((length, at) => (outer[at] ?? 0) % length === 0);
  if (isShape && divides) return shape;
  const found = Array.isArray(value) ? `[${list.slice(0, 40).map(brief).join(", ")}]` : brief(value);
  throw badConfiguration(codec, member, `lengths of at least 1 that divide the shard's [${outer.join(", ")}]`, found);
}
