/** A manifest that cannot be read: its chunks are unknown, which is not the same as missing. */
import { errorSentence, RefscopeError } from "../../core/errors.ts";
import type { Finding } from "../../core/finding.ts";

/** What to throw where the manifest's file is not there. `key`: store key or URL. */
export function missingManifest(arrayPath: string, key: string): RefscopeError {
  return new RefscopeError({
    code: "chunk-manifest-missing",
    doing: `Reading the chunk manifest of ${named(arrayPath)}`,
    where: key,
    expected: "the file that the array's storage transformer names",
    found: "nothing",
    advice: "Every chunk of the array is unknown, and none is taken for a fill value: add the manifest to the store.",
  });
}

/** A failure of `readManifest` or `missingManifest` as a finding on the array. */
export function problemFinding(error: RefscopeError, arrayPath: string, key?: string): Finding {
  const { advice, ...fields } = error.fields;
  const unknown = "Every chunk of the array is unknown; none is taken for a fill value.";
  const own = error.code === "chunk-manifest-missing";
  return {
    code: error.code,
    severity: "error",
    array: arrayPath,
    ...(key === undefined ? {} : { key }),
    message: own ? errorSentence(fields) : `${errorSentence(fields)} ${unknown}`,
    ...(advice === undefined ? {} : { advice }),
  };
}

export function named(arrayPath: string): string {
  return arrayPath === "" ? "the root array" : arrayPath;
}
