/** What a zip archive that cannot be read is told as. */
import { RefscopeError } from "../core/errors.ts";

export function notZip(name: string, found: string): RefscopeError {
  return new RefscopeError({
    code: "zip-not-found",
    doing: "Opening a zip archive",
    where: name,
    expected: "a zip archive with its directory at the end",
    found,
    advice: "If the file was cut short in copying, copy it again.",
  });
}

export function zipDamaged(name: string, expected: string, found: string): RefscopeError {
  const advice = "The archive is damaged or was not finished: make it anew.";
  return new RefscopeError({
    code: "zip-damaged",
    doing: "Opening a zip archive",
    where: name,
    expected,
    found,
    advice,
  });
}

export function zipTooLarge(name: string, expected: string, found: string): RefscopeError {
  return new RefscopeError({
    code: "zip-too-large",
    doing: "Opening a zip archive",
    where: name,
    expected,
    found,
    advice: "Unpack it and open the folder, or what is needed of it.",
  });
}

export function multiVolume(name: string): RefscopeError {
  return new RefscopeError({
    code: "zip-split",
    doing: "Opening a zip archive",
    where: name,
    expected: "an archive in one file",
    found: "one file of an archive that was split into several",
    advice: "Join the parts (zip -s 0) and open the result.",
  });
}

export function entryDamaged(where: string, expected: string, found: string, cause?: unknown): RefscopeError {
  const advice = "The archive is damaged there: make it anew. Its other files can still be read.";
  const fields = {
    code: "zip-entry-damaged",
    doing: "Reading a file of a zip archive",
    where,
    expected,
    found,
    advice,
  };
  return new RefscopeError(fields, cause === undefined ? undefined : { cause });
}

export function entryTooLarge(where: string, expected: string, found: string): RefscopeError {
  return new RefscopeError({
    code: "zip-entry-too-large",
    doing: "Reading a file of a zip archive",
    where,
    expected,
    found,
    advice: "If you trust the archive, unpack it and open the folder.",
  });
}

const METHODS: ReadonlyMap<number, string> = new Map([
  [1, "Shrink"],
  [6, "Implode"],
  [9, "Deflate64"],
  [12, "bzip2"],
  [14, "LZMA"],
  [20, "Zstandard (former number)"],
  [93, "Zstandard"],
  [95, "xz"],
  [98, "PPMd"],
  [99, "AES encryption"],
]);

export function methodUnsupported(where: string, method: number): RefscopeError {
  const name = METHODS.get(method);
  return new RefscopeError({
    code: "zip-method-unsupported",
    doing: "Reading a file of a zip archive",
    where,
    expected: "a file stored as it is (method 0) or deflated (method 8)",
    found: `method ${method}${name === undefined ? "" : `, ${name}`}`,
    advice: "Make the archive anew with files stored: what is in a store is compressed already.",
  });
}

export function entryEncrypted(where: string): RefscopeError {
  return new RefscopeError({
    code: "zip-entry-encrypted",
    doing: "Reading a file of a zip archive",
    where,
    expected: "a file that is not encrypted",
    found: "an encrypted one",
    advice: "Unpack the archive with its password and open the folder.",
  });
}
