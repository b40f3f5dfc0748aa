/**
 * `msgpack2` (numcodecs' MsgPack; MessagePack specification of 2017): a chunk as one list `[…values, dtype, shape]`;
 * `msgpack`, its form before numcodecs 0.6, has no shape.
 */
import type { Decoder } from "./codec.ts";
import { listedElements } from "./json2-elements.ts";
import { toJsonText } from "./msgpack2-text.ts";

export const msgpack2: Decoder = msgpackCodec("msgpack2", false);
export const msgpack: Decoder = msgpackCodec("msgpack", true);

function msgpackCodec(id: string, withoutShape: boolean): Decoder {
  return {
    prepare: (configuration, array) => {
      const raw = configuration.get("raw") === true;
      return {
        label: raw ? "MessagePack list, text as bytes" : "MessagePack list",
        makes: array.dataType.kind === "object" ? "json" : undefined,
        decode: (input, limit) => {
          const text = toJsonText(id, input, limit, raw);
          return listedElements(id, text, array, { limit, withoutShape, unchecked: false });
        },
      };
    },
  };
}
