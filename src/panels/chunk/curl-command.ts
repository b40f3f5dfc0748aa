/** The request for a chunk's bytes as a shell command. */
import { attempt } from "#core/basics.ts";
import type { Reading } from "#core/reading.ts";
import { shellWord } from "#core/words.ts";
import type { ByteRange } from "#core/byte-source.ts";

/** `undefined` where curl could not fetch it: a local file, an unresolved target, an inline or an empty chunk. */
export function curlCommand(reading: Reading): string | undefined {
  const { resolution, key } = reading;
  if (resolution?.kind !== "url" || !/^https?:/i.test(resolution.url)) return undefined;
  const range = storedRange(reading);
  if (range?.length === 0) return undefined;
  const last = range === undefined ? "" : `-r ${range.offset}-${range.offset + range.length - 1} `;
  // Brackets and braces would be read as a pattern of several URLs.
  const globbing = /[[\]{}]/.test(resolution.url) ? "--globoff " : "";
  const file = shellWord(`./${key.replaceAll("/", "_")}.bin`);
  return `curl --fail ${globbing}${last}-o ${file} ${shellWord(resolution.url)}`;
}

/** The range of the reference; failing that, the one that was asked for. */
export function rangeOf({ state, written, request }: Reading): ByteRange | undefined {
  if (state !== "range" && state !== "virtual") return undefined;
  return writtenRange(written) ?? request?.range;
}

/** Also of a native chunk that is a range of an object; where a trial moves a range, that one is only cut. */
function storedRange(reading: Reading): ByteRange | undefined {
  return reading.state === "native" ? writtenRange(reading.written) : rangeOf(reading);
}

function writtenRange(written: string): ByteRange | undefined {
  const [, offset, length] = writtenReference(written) ?? [];
  return Number.isSafeInteger(offset) && Number.isSafeInteger(length)
    ? { offset: Number(offset), length: Number(length) }
    : undefined;
}

/** `[url, offset, length]` as the document has it; `undefined` where it is something else. */
export function writtenReference(written: string): readonly unknown[] | undefined {
  const value = attempt(() => JSON.parse(written) as unknown);
  return Array.isArray(value) ? value : undefined;
}
