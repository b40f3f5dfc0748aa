/** `vlen-utf8` and `vlen-bytes` (numcodecs; Zarr v3 extensions of the same names): elements of any length. */
import { variablePlaces } from "#core/values/variable-elements.ts";
import { badConfiguration, type ChunkOutline, decodeFailed, type Decoder } from "../codec.ts";

/** Elements are looked up by their place, 8 bytes each. */
const MAX_ELEMENTS = 2 ** 26;

export const vlenUtf8: Decoder = variable("vlen-utf8", "text");
export const vlenBytes: Decoder = variable("vlen-bytes", "bytes");

function variable(id: string, makes: "text" | "bytes"): Decoder {
  return {
    prepare: (_, array) => {
      if (array.dataType.kind !== "object") {
        const found = `elements of type ${array.dataType.text.slice(0, 80)}`;
        throw badConfiguration(id, "data type", "elements of no fixed size (|O, string, bytes)", found);
      }
      const label = makes === "text" ? "text of any length, UTF-8" : "byte strings of any length";
      return { label, makes, decode: (input) => checked(id, makes, input, array) };
    },
  };
}

/** The bytes as they are: the elements are looked up when needed. */
function checked(id: string, makes: "text" | "bytes", input: Uint8Array<ArrayBuffer>, { elements }: ChunkOutline) {
  if (elements > MAX_ELEMENTS) throw decodeFailed(id, `at most ${MAX_ELEMENTS} elements`, `${elements} elements`);
  const places = placesOf(id, input, elements);
  if (makes === "text") refuseBadText(id, input, places);
  return input;
}

/** Offsets of the chunk's elements, as many as it should have. Throws `decode-failed`. */
export function placesOf(id: string, input: Uint8Array<ArrayBuffer>, elements: number): Uint32Array {
  const places = variablePlaces(input);
  if (typeof places === "string") throw decodeFailed(id, "a count, then each element's length and bytes", places);
  const count = places.length / 2;
  if (count !== elements) throw decodeFailed(id, `${elements} elements, as the chunk has`, `${count} elements`);
  return places;
}

function refuseBadText(id: string, input: Uint8Array<ArrayBuffer>, places: Uint32Array): void {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  for (let i = 0; i < places.length; i += 2) {
    const [from, to] = [places[i] as number, places[i + 1] as number];
    if (isAscii(input, from, to)) continue;
    try {
      decoder.decode(input.subarray(from, to));
    } catch {
      throw decodeFailed(id, "text in UTF-8", `other bytes in element ${i / 2}`);
    }
  }
}

function isAscii(bytes: Uint8Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if ((bytes[i] as number) > 127) return false;
  return true;
}
