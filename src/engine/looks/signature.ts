/** How a format is recognised by the bytes that it begins with, and what tests of formats have in common. */
import type { Signature } from "#core/check/lab.ts";

/** The format, where the bytes begin as it does. Reads the beginning only; never throws, whatever the bytes. */
export type Recognise = (bytes: Uint8Array) => Signature | undefined;

export type Facts = Signature["facts"];

/** Facts by term; those that are `undefined` are left out. */
export function factsOf(facts: Readonly<Record<string, string | undefined>>): Facts {
  return Object.entries(facts).flatMap(([term, value]) => (value === undefined ? [] : [{ term, value }]));
}

export function beginsWith(bytes: Uint8Array, magic: readonly number[] | string, at = 0): boolean {
  const wanted = typeof magic === "string" ? codesOf(magic) : magic;
  return bytes.length >= at + wanted.length && wanted.every((code, index) => bytes[at + index] === code);
}

const codesOf = (text: string): number[] => Array.from(text, (letter) => letter.charCodeAt(0));

export const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** A declared size against what is here: too little, or a reference longer than what it holds. */
export function lengthFact(said: number, length: number): string {
  if (said === length) return `${said} bytes, all of them here`;
  const difference = said > length ? `${said - length} more than there are` : `${length - said} fewer than there are`;
  return `${said} bytes, ${difference}`;
}

/** A name or text out of the bytes, for people: what is not printable is shown as a dot. */
export function shownText(bytes: Uint8Array, limit = 80): string {
  const text = new TextDecoder().decode(bytes.subarray(0, limit));
  return text.replaceAll(/(?![\n\t\r])\p{C}/gu, ".");
}
