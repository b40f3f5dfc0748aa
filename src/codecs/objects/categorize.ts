/**
 * numcodecs `categorize`: numbers of type `astype` that represent labels, counted from 1; all others are empty text.
 */
import { joinBytes } from "#core/bytes.ts";
import type { DataType } from "#core/metadata/data-type.ts";
import type { JsonObject, JsonValue } from "#core/json/json.ts";
import { writeVariable } from "#core/values/variable-elements.ts";
import { badConfiguration, brief, type Decoder, decodeTooLarge, numpyType, stringMember } from "../codec.ts";
import { elementTypeMember, readElements, type Elements, type ElementType } from "../numbers/element-type.ts";

const ID = "categorize";
const NUMBERS: ElementType = { kind: "uint", size: 1, big: false, text: "|u1" };

export const categorize: Decoder = {
  prepare: (configuration) => {
    const labels = labelsMember(configuration);
    const to = textType(configuration);
    const from = elementTypeMember(ID, configuration, "astype") ?? NUMBERS;
    const label = `categories, ${labels.length} labels as ${to.text}`;
    if (to.kind === "object") {
      const texts = ["", ...labels].map((text) => new TextEncoder().encode(text));
      return {
        label,
        makes: "text",
        decode: (input, limit) => placed(readElements(ID, input, from), texts, limit, writeVariable, 4),
      };
    }
    const texts = ["", ...labels].map((text) => fixedText(text, to));
    return { label, decode: (input, limit) => placed(readElements(ID, input, from), texts, limit, joinBytes, 0) };
  },
};

function labelsMember(configuration: JsonObject): readonly string[] {
  const labels = configuration.get("labels");
  const list: readonly JsonValue[] = Array.isArray(labels) ? labels : [];
  const texts = list.filter((label): label is string => typeof label === "string");
  if (Array.isArray(labels) && texts.length === list.length) return texts;
  throw badConfiguration(ID, "labels", "a list of texts", brief(labels));
}

function textType(configuration: JsonObject): DataType {
  const text = stringMember(ID, configuration, "dtype");
  const type = numpyType(text);
  if (type?.kind === "unicode" || type?.kind === "object") return type;
  throw badConfiguration(ID, "dtype", "a text type such as <U8, or |O", brief(text));
}

/** Cut where it is too long, as NumPy cuts it. */
function fixedText(text: string, { itemSize, byteOrder }: DataType): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(itemSize);
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const character of text) {
    if (at === itemSize) break;
    view.setUint32(at, character.codePointAt(0) ?? 0, byteOrder !== "big");
    at += 4;
  }
  return bytes;
}

/** `overhead`: bytes that `join` adds to each part. */
function placed(
  numbers: Elements,
  texts: readonly Uint8Array<ArrayBuffer>[],
  limit: number,
  join: (parts: readonly Uint8Array<ArrayBuffer>[]) => Uint8Array<ArrayBuffer>,
  overhead: number,
): Uint8Array<ArrayBuffer> {
  const nothing = texts[0] as Uint8Array<ArrayBuffer>;
  const parts = Array.from(numbers as ArrayLike<number | bigint>, (number) => texts[Number(number)] ?? nothing);
  const size = parts.reduce((sum, part) => sum + part.length + overhead, 0);
  if (size > limit) throw decodeTooLarge(ID, limit, `${size} bytes`);
  return join(parts);
}
