/** Reads `--reader`: a reader, or a list of packages whose readers are meant. */
import { readFile } from "node:fs/promises";
import { text as textOf } from "node:stream/consumers";
import { type AskedReader, isListed, parseAskedReader, parsePackages } from "#core/readers/asked-reader.ts";
import { READER_IDS } from "#core/readers/ids.ts";

/** Throws where the file has no package of a reader. */
export async function askedReader(text: string): Promise<AskedReader> {
  const asked = parseAskedReader(text);
  if (asked !== undefined) return asked;
  const list = parsePackages(text === "-" ? await textOf(process.stdin) : await readFile(text, "utf8"));
  if (READER_IDS.some((id) => isListed(id, list))) return list;
  throw new Error(
    `--reader: no package that Refscope knows as a reader is in ${text === "-" ? "the standard input" : text}.`,
  );
}
