/**
 * MessagePack values that JSON has too: metadata of snapshots in format 1. Binary and extension values and keys that are
 * not text are refused, as the official reader does.
 */
import type { JsonValue } from "../../core/json.ts";
import * as core from "../../core/message-pack.ts";
import { finite, textOf } from "./flat.ts";

const MAX_DEPTH = 64;

/** The first value; bytes after it are ignored. `fault` makes the error. */
export function readMessagePack(bytes: Uint8Array, fault: (expected: string, found: string) => Error): JsonValue {
  const faultAt = (expected: string, found: string, at: number) =>
    fault(`MessagePack: ${expected}`, `${found} at byte ${at}`);
  const make: core.MessagePackMaker<JsonValue> = {
    constant: (value) => value,
    float: finite,
    text: (text, at) => textOf(text, () => faultAt("UTF-8 text", "other bytes", at)),
    binary: (_, at) => {
      throw faultAt("a value that JSON has too", "binary data", at);
    },
    list: (count, next) => Array.from({ length: count }, next),
    map(count, key, value) {
      const members = new Map<string, JsonValue>();
      // All keys but text are refused.
      for (let index = 0; index < count; index += 1) members.set(key() as string, value());
      return members;
    },
    fault: faultAt,
  };
  return core.readMessagePack(bytes, make, MAX_DEPTH).value;
}
