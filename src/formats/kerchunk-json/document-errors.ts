/** Why a document could not be read to its end. */
import { RefscopeError } from "../../core/errors.ts";

const DOING = "Reading the Kerchunk JSON document";

function references(count: number): string {
  return `${count} ${count === 1 ? "reference" : "references"}`;
}

export function malformed(expected: string, found: string, offset: number, line: number, read: number): RefscopeError {
  return new RefscopeError({
    code: "json-malformed",
    doing: DOING,
    where: `line ${line}, byte ${offset}`,
    expected,
    found: `${JSON.stringify(found)} after ${references(read)}`,
    advice: "Correct the document there, or write it again with the tool that made it.",
  });
}

export function truncated(bytes: number, read: number): RefscopeError {
  return new RefscopeError({
    code: "json-truncated",
    doing: DOING,
    where: `byte ${bytes}`,
    expected: "the end of the JSON document",
    found: `the end of the data after ${bytes} bytes and ${references(read)}`,
    advice: "The file was cut off: download or write it again.",
  });
}

export function entryTooLong(offset: number, read: number): RefscopeError {
  return new RefscopeError({
    code: "json-entry-too-long",
    doing: DOING,
    where: `byte ${offset}`,
    expected: "no single entry of more than 256 MB",
    found: `a longer one, or one that never ends, after ${references(read)}`,
    advice: "Put such data into a file of their own and refer to it.",
  });
}
