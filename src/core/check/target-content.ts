/** Content of a target by its first bytes: data, or what servers and version control put in its place. */
import { attempt } from "#core/basics.ts";
import { firstVisible, webPageIn } from "./web-page.ts";

export type TargetContent =
  | { readonly kind: "empty" }
  | { readonly kind: "web-page"; readonly words: string }
  /** The answer of a store of objects to a failed request, as S3, GCS and Azure write it. */
  | { readonly kind: "error-document"; readonly code: string; readonly message: string }
  /** `size`: of the file that the pointer stands for, where it says so. */
  | { readonly kind: "lfs-pointer"; readonly size: number | undefined }
  | { readonly kind: "gzip" }
  /** `format`: where its signature is known. */
  | { readonly kind: "data"; readonly format: FileFormat | undefined };

export type FileFormat = "HDF5" | "netCDF-3" | "HDF4" | "GRIB" | "TIFF" | "ZIP" | "FITS";

/** Bytes from which it is told. */
export const CONTENT_HEAD = 512;

/** `head`: the target's first bytes, all of them where it is shorter than `CONTENT_HEAD`. */
export function contentOf(head: Uint8Array): TargetContent {
  if (head.byteLength === 0) return { kind: "empty" };
  if (head[0] === 0x1f && head[1] === 0x8b && head[2] === 8) return { kind: "gzip" };
  const page = webPageIn(head);
  if (page !== undefined) return { kind: "web-page", words: page.words };
  return errorDocumentIn(head) ?? pointerIn(head) ?? { kind: "data", format: formatOf(head) };
}

const MAX_TEXT = 4096;
const MAX_WORDS = 200;

/** `undefined` where the bytes are no error document of a store of objects. */
export function errorDocumentIn(
  bytes: Uint8Array,
): Extract<TargetContent, { readonly kind: "error-document" }> | undefined {
  const text = textIn(bytes, 0x3c);
  if (text === undefined || !/^\ufeff?\s*(?:<\?xml[^>]{0,200}>\s*)?<Error[\s>]/i.test(text)) return undefined;
  const code = /<Code>\s*([^<]{1,200}?)\s*<\/Code>/i.exec(text)?.[1] ?? "Error";
  const message = /<Message>\s*([^<]{0,1000}?)\s*(?:<\/Message>|$)/i.exec(text)?.[1] ?? "";
  // Azure puts the request's number and time into the message.
  return { kind: "error-document", code, message: oneLine(message.replace(/\s*RequestId:.*$/s, "")) };
}

/** Words of a server that refuses. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
  /** Region of the bucket, where S3 says it is another. */
  readonly region?: string;
}

/** Text of the body of a refusal, in the XML of S3, GCS and Azure or as JSON. */
export function refusalIn(bytes: Uint8Array): Refusal | undefined {
  const found = errorDocumentIn(bytes);
  if (found === undefined) return jsonRefusal(textIn(bytes, 0x7b));
  const { code, message } = found;
  const region = /<Region>([a-z\d-]{3,40})<|<Endpoint>[^<]*\bs3[.-]([a-z]{2}[a-z\d-]+\d)\./i.exec(
    textIn(bytes, 0x3c) ?? "",
  );
  const named = region?.[1] ?? region?.[2];
  return { code, message, ...(named === undefined ? {} : { region: named }) };
}

/** GCS writes `{error: {code, message, errors: [{reason}]}}`, others less. */
function jsonRefusal(text = ""): Refusal | undefined {
  const whole = membersOf(attempt(() => JSON.parse(text) as unknown));
  const inner = { ...whole, ...membersOf(whole["error"]) };
  const [first] = Array.isArray(inner["errors"]) ? (inner["errors"] as unknown[]) : [];
  const word = (from: Record<string, unknown>, names: readonly string[]): string =>
    names.map((name) => from[name]).find((value) => typeof value === "string") ?? "";
  const code = word(membersOf(first), ["reason"]) || word(inner, ["code", "Code", "status", "error"]);
  const message = word(inner, ["message", "Message", "detail", "description", "error_description"]);
  return code + message === "" ? undefined : { code: oneLine(code), message: oneLine(message) };
}

const membersOf = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};

function pointerIn(head: Uint8Array): TargetContent | undefined {
  const text = textIn(head, 0x76);
  if (text === undefined || !/^version https:\/\/(?:git-lfs\.github\.com|hawser\.github\.com)\/spec\//.test(text))
    return undefined;
  const size = /^size (\d{1,15})$/m.exec(text)?.[1];
  return { kind: "lfs-pointer", size: size === undefined ? undefined : Number(size) };
}

/** `undefined` where the first byte that is no blank is another. */
function textIn(bytes: Uint8Array, first: number): string | undefined {
  const at = firstVisible(bytes);
  if (at !== first && at !== 0xef) return undefined;
  return new TextDecoder().decode(bytes.subarray(0, MAX_TEXT));
}

function oneLine(text: string): string {
  const line = text.replace(/[\p{C}\s]+/gu, " ").trim();
  return line.length > MAX_WORDS ? `${line.slice(0, MAX_WORDS)}…` : line;
}

const SIGNATURES: readonly (readonly [FileFormat, readonly number[]])[] = [
  ["HDF5", [0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a]],
  ["HDF4", [0x0e, 0x03, 0x13, 0x01]],
  ["netCDF-3", [0x43, 0x44, 0x46, 0x01]],
  ["netCDF-3", [0x43, 0x44, 0x46, 0x02]],
  ["netCDF-3", [0x43, 0x44, 0x46, 0x05]],
  ["GRIB", [0x47, 0x52, 0x49, 0x42]],
  ["TIFF", [0x49, 0x49, 0x2a, 0x00]],
  ["TIFF", [0x49, 0x49, 0x2b, 0x00]],
  ["TIFF", [0x4d, 0x4d, 0x00, 0x2a]],
  ["ZIP", [0x50, 0x4b, 0x03, 0x04]],
  ["FITS", Array.from("SIMPLE  =", (character) => character.charCodeAt(0))],
];

const formatOf = (head: Uint8Array): FileFormat | undefined =>
  SIGNATURES.find(([, bytes]) => bytes.every((byte, at) => head[at] === byte))?.[0];
