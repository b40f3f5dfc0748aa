/** What is wrong with a file of an Icechunk repository: always with the file, and where it can be said the field. */
import { RefscopeError } from "../../core/errors.ts";

/** What a file is, for messages. */
export interface FileName {
  /** "snapshot", "manifest", "transaction log", "repository info", … */
  readonly what: string;
  /** Path below the repository's root. */
  readonly path: string;
}

export type FaultCode =
  | "icechunk-file-damaged"
  | "icechunk-not-icechunk"
  | "icechunk-version-unknown"
  | "icechunk-too-old"
  | "icechunk-config-unreadable"
  | "icechunk-object-missing"
  | "icechunk-ref-missing"
  | "icechunk-no-repository"
  | "icechunk-location-unreadable"
  | "icechunk-container-missing";

export interface FaultParts {
  readonly code?: FaultCode;
  /** "nodes[3].path": the field in the format's own words. */
  readonly field?: string;
  readonly expected: string;
  readonly found: string;
  readonly advice?: string;
  readonly cause?: unknown;
}

/** The error to throw. `icechunk-file-damaged` unless a code is given. */
export function icechunkFault(file: FileName, parts: FaultParts): RefscopeError {
  const { code = "icechunk-file-damaged", field, expected, found, advice, cause } = parts;
  const of = field === undefined || field === "" ? "" : `the field ${field} of `;
  return new RefscopeError(
    {
      code,
      doing: `Reading ${of}the Icechunk ${file.what}`,
      where: file.path,
      expected,
      found,
      ...(advice === undefined ? adviceFor(code) : { advice }),
    },
    cause === undefined ? undefined : { cause },
  );
}

function adviceFor(code: FaultCode): { readonly advice?: string } {
  if (code !== "icechunk-file-damaged") return {};
  return { advice: "The file is damaged or was cut off: fetch or copy it again, or open another snapshot." };
}

/** The first bytes in hexadecimal, for messages. */
export function firstBytes(bytes: Uint8Array): string {
  if (bytes.length === 0) return "no bytes";
  const hex = Array.from(bytes.subarray(0, 12), (byte) => byte.toString(16).padStart(2, "0")).join(" ");
  return `${bytes.length} bytes that begin with ${hex}`;
}
