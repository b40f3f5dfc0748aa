/**
 * The `filters` of numcodecs' `lzma`: Python's filter specifiers (the `lzma` module, "Specifying custom filter
 * chains").
 */
import { isJsonObject, type JsonObject, type JsonValue } from "#core/json/json.ts";
import { badConfiguration, brief, integerMember } from "../codec.ts";
import type { Compression, FilterChain } from "./filters.ts";

const DELTA = 3n;
const LZMA1 = 2n ** 62n + 1n;
const LZMA2 = 33n;
const MAX_FILTERS = 4;
/** MiB; the compression levels differ in nothing else that decoding needs. */
const DICTIONARY_MEBIBYTES = [0.25, 1, 2, 4, 4, 8, 8, 16, 32, 64] as const;
const EXTREME = 2 ** 31;
const LZMA_MEMBERS = new Set("id preset dict_size lc lp pb mode nice_len mf depth".split(" "));
const DELTA_MEMBERS = new Set(["id", "dist"]);

/** Throws `codec-configuration` where Python would refuse the chain, and for filters that Refscope does not undo. */
export function chainMember(codec: string, configuration: JsonObject): FilterChain {
  const value = configuration.get("filters");
  const list: readonly JsonValue[] = Array.isArray(value) ? value : [];
  if (list.length === 0 || list.length > MAX_FILTERS) {
    const found = Array.isArray(value) ? String(list.length) : brief(value);
    throw badConfiguration(codec, "filters", "1 to 4 filters, as format 3 is raw data", found);
  }
  const filters = list.map((filter, at) => {
    if (isJsonObject(filter)) return filter;
    throw badConfiguration(codec, `filters/${at}`, "a filter: an object with an id", brief(filter));
  });
  const last = filters.at(-1) ?? new Map<string, JsonValue>();
  const deltas = filters.slice(0, -1).map((filter, at) => deltaOf(codec, filter, at));
  return { deltas, compression: compressionOf(codec, last, filters.length - 1) };
}

function deltaOf(codec: string, filter: JsonObject, at: number): number {
  if (idOf(filter) !== DELTA) {
    throw badConfiguration(codec, `filters/${at}/id`, "3 (delta), before the last filter", brief(filter.get("id")));
  }
  refuseUnknown(codec, filter, DELTA_MEMBERS, at);
  return integerMember(codec, filter, "dist", { minimum: 1, maximum: 256, otherwise: 1 });
}

function compressionOf(codec: string, filter: JsonObject, at: number): Compression {
  const id = idOf(filter);
  if (id !== LZMA1 && id !== LZMA2) {
    throw badConfiguration(codec, `filters/${at}/id`, `33 (LZMA2) or ${LZMA1} (LZMA1), last`, brief(filter.get("id")));
  }
  refuseUnknown(codec, filter, LZMA_MEMBERS, at);
  const preset = integerMember(codec, filter, "preset", { minimum: 0, maximum: 2 ** 32 - 1, otherwise: 6 });
  const mebibytes = DICTIONARY_MEBIBYTES[preset % EXTREME];
  if (mebibytes === undefined) throw badConfiguration(codec, "preset", "a level from 0 to 9", String(preset));
  const maximum = 2 ** 32 - 1;
  const dictionarySize = integerMember(codec, filter, "dict_size", {
    minimum: 0,
    maximum,
    otherwise: mebibytes * 2 ** 20,
  });
  if (id === LZMA2) return { kind: "lzma2", dictionarySize };
  const member = (name: string, otherwise: number) =>
    integerMember(codec, filter, name, { minimum: 0, maximum: 4, otherwise });
  const properties = { literalContext: member("lc", 3), literalPosition: member("lp", 0), position: member("pb", 2) };
  if (properties.literalContext + properties.literalPosition <= 4) return { kind: "lzma1", dictionarySize, properties };
  throw badConfiguration(codec, `filters/${at}/lc`, "lc and lp of at most 4 together", "more");
}

function idOf(filter: JsonObject): bigint | undefined {
  const id = filter.get("id");
  if (typeof id === "bigint") return id;
  return typeof id === "number" && Number.isInteger(id) ? BigInt(id) : undefined;
}

function refuseUnknown(codec: string, filter: JsonObject, known: ReadonlySet<string>, at: number): void {
  const other = [...filter.keys()].find((name) => !known.has(name));
  if (other !== undefined) {
    throw badConfiguration(codec, `filters/${at}`, `only ${[...known].join(", ")}`, brief(other));
  }
}
