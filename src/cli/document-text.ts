/** The whole text of a document named on the command line: a path or a URL, plain or compressed. */
import { failure } from "../core/findings/failure.ts";
import { targetAt } from "../core/findings/place.ts";
import type { CallContext } from "../core/byte-source.ts";
import { urlDocument } from "../engine/open/sources.ts";
import { decompressed } from "../io/decompress.ts";
import { locationsOf, type CommandOptions } from "./options.ts";
import { pathSource } from "./directory.ts";
import { isUrl, networkOf } from "./open-refs.ts";

/** Throws `not-utf-8`, `document-too-large`, and what reading and decompressing throw. */
export async function documentText(refs: string, options: CommandOptions, context: CallContext): Promise<string> {
  const document = isUrl(refs)
    ? urlDocument(refs, locationsOf(options), networkOf(refs, options)).document
    : await pathSource(refs);
  const { stream } = await decompressed(await document.stream(context), context);
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const pieces: string[] = [];
  try {
    for await (const bytes of stream.body) pieces.push(decoder.decode(bytes, { stream: true }));
    return pieces.join("") + decoder.decode();
  } catch (cause) {
    throw textFailure(refs, cause);
  }
}

/** No text: bytes that are none, or more than a string holds; `cause` itself where it is something else. */
export function textFailure(refs: string, cause: unknown): unknown {
  if (cause instanceof RangeError) return failure("document-too-large", targetAt(refs), {}, { cause });
  return cause instanceof TypeError ? failure("not-utf-8", targetAt(refs), {}, { cause }) : cause;
}
