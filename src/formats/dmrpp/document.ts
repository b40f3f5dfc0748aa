/** The XML of a DMR++ document, and what is read of its elements. Nothing is expanded or fetched: it has no DTD. */
import { attempt } from "#core/basics.ts";
import { parseXml, XmlElement, XmlError } from "@rgrove/parse-xml";
import type { FileBytes } from "#core/file-bytes.ts";
import { failure } from "#core/findings/finding.ts";
import { targetAt } from "#core/findings/fact.ts";

/** Bytes: elements take some ten times as much. */
const MOST_READ = 64 * 1024 ** 2;

export interface Document {
  readonly root: XmlElement;
  /** `data-file-damaged`: what an element has, to be thrown. */
  readonly damaged: (element: XmlElement, expected: string, found: string) => Error;
}

export async function readDocument(file: FileBytes): Promise<Document> {
  const { name, size } = file;
  if (size > MOST_READ)
    throw failure("data-file-too-large", targetAt(name), { limit: MOST_READ, what: "bytes of XML" });
  const problem = (structure: string, offset: number, expected: string, found: string): Error =>
    failure("data-file-damaged", targetAt(name), { format: "DMR++", structure, offset, expected, found });
  try {
    const { root } = parseXml(documentText(await file.read(0, size)), { includeOffsets: true });
    if (root === null || localName(root) !== "Dataset")
      throw problem("root element", 0, "a Dataset", root === null ? "nothing" : root.name);
    return { root, damaged: (element, ...facts) => problem(`element ${element.name}`, element.start, ...facts) };
  } catch (error) {
    if (error instanceof XmlError)
      throw problem("XML", error.pos, "well-formed", error.message.split("\n", 1)[0] ?? "");
    // Elements that are nested without end.
    if (error instanceof RangeError) throw problem("XML", 0, "elements that are nested a few deep", "thousands");
    throw error;
  }
}

/** Whatever it declares (ISO-8859-1 mostly), it is UTF-8 where it can be. */
const documentText = (bytes: Uint8Array): string =>
  attempt(() => new TextDecoder("utf-8", { fatal: true }).decode(bytes)) ?? new TextDecoder("latin1").decode(bytes);

export const localName = ({ name }: XmlElement): string => name.slice(name.indexOf(":") + 1);

export const elementsOf = ({ children }: XmlElement, ...names: readonly string[]): readonly XmlElement[] =>
  children.filter(
    (child): child is XmlElement =>
      child instanceof XmlElement && (names.length === 0 || names.includes(localName(child))),
  );

/** With or without the prefix `dmrpp:`. */
export const attributeOf = ({ attributes }: XmlElement, name: string): string | undefined =>
  attributes[name] ?? attributes[`dmrpp:${name}`];

export const childOf = (element: XmlElement, name: string): XmlElement | undefined => elementsOf(element, name)[0];

/** Whole numbers from 0 on in a text; `undefined` where it has others. */
export function wholeNumbers(text: string): readonly number[] | undefined {
  const parts = text
    .replace(/^\s*\[|\]\s*$/g, "")
    .split(/[\s,]+/)
    .filter((part) => part !== "");
  const numbers = parts.map(Number);
  return parts.every((part) => /^\d+$/.test(part)) && numbers.every(Number.isSafeInteger) ? numbers : undefined;
}
