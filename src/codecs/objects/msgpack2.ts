/**
 * `msgpack2` (numcodecs' MsgPack; MessagePack specification of 2017): a chunk as one list `[…values, dtype, shape]`;
 * `msgpack`, its form before numcodecs 0.6, has no shape.
 */
import { toBase64 } from "#core/values/fill-bytes.ts";
import { type MessagePackMaker, readMessagePack } from "#core/json/message-pack.ts";
import { jsonFloat } from "#core/values/number-text.ts";
import { type Bytes, decodeFailed, type Decoder, finish, newOutput, type Output, writeText } from "../codec.ts";
import { listedElements } from "./json2-elements.ts";

// MessagePack as JSON text, with what JSON has not as Python writes it: NaN, integers of 64 bits, byte strings `b"…"`
// in base64.

/** Deepest nesting, equal to that of JSON. */
const MAX_DEPTH = 500;

/** `raw`: text is given as bytes. Throws `decode-failed`, `decode-too-large`. */
function toJsonText(codec: string, input: Bytes, limit: number, raw: boolean): Bytes {
  const output = newOutput(codec, limit, input.length * 2);
  const writer = textWriter(codec, output, raw);
  const { end } = readMessagePack(input, writer, MAX_DEPTH);
  if (end !== input.length) throw writer.fault("the end of the bytes", `${input.length - end} bytes more`, end);
  return finish(output);
}

function textWriter(codec: string, output: Output, raw: boolean): MessagePackMaker<void> {
  const write = (text: string): void => writeText(output, text);
  const fault = (expected: string, found: string, at: number) =>
    decodeFailed(codec, `MessagePack: ${expected}`, `${found} at byte ${at}`);
  const binary = (bytes: Uint8Array): void => write(`b"${toBase64(bytes)}"`);
  return {
    constant: (value) => write(String(value)),
    float: (value) => write(jsonFloat(value)),
    text: (bytes, at) => {
      if (raw) binary(bytes);
      else write(JSON.stringify(decodedText(bytes, () => fault("text in UTF-8", "other bytes", at))));
    },
    binary,
    list: (count, next) => writeNested(output, "[]", count, next),
    map: (count, key, value) =>
      writeNested(output, "{}", count, () => {
        key();
        write(":");
        value();
      }),
    fault,
  };
}

function writeNested(output: Output, [open = "", close = ""]: string, count: number, next: () => void): void {
  writeText(output, open);
  for (let at = 0; at < count; at += 1) {
    if (at > 0) writeText(output, ",");
    next();
  }
  writeText(output, close);
}

function decodedText(bytes: Uint8Array, fault: () => Error): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw fault();
  }
}

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
