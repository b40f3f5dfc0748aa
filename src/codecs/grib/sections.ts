/**
 * A GRIB message taken apart for people to look at: each section, where it is and what it says. Never throws, whatever
 * the bytes; what is wrong is reported beside what could be read.
 */

import { ibmFloat, signed16, signed32, view } from "./numbers.ts";
import {
  disciplineName,
  gridName,
  packingName,
  productName,
  sectionName,
  sectionName1,
  timeName,
  unitName,
} from "./tables.ts";
import { walk, type RawSection } from "./walk.ts";

export interface GribFact {
  /** "grid template", "bits a value". */
  readonly label: string;
  readonly value: string;
}

export interface GribSection {
  /** Section number of its edition: 0 to 8, in edition 1 0 to 5. */
  readonly number: number;
  /** "section 5 (data representation)". */
  readonly name: string;
  /** Bytes from the start of the message. */
  readonly offset: number;
  readonly length: number;
  readonly facts: readonly GribFact[];
}

export interface GribListing {
  /** `undefined` where the bytes are not a GRIB message. */
  readonly edition: 1 | 2 | undefined;
  readonly sections: readonly GribSection[];
  /** A sentence without full stop if sections end early or lengths disagree. */
  readonly problem?: string;
}

/** Most sections to list; messages with many fields have thousands. */
const MAX_LISTED = 200;

/** The sections of the message that `bytes` begin with. Bytes after its end are left out. */
export function gribSections(bytes: Uint8Array): GribListing {
  const { edition, sections, problem } = walk(bytes);
  if (edition === undefined) return { edition, sections: [] };
  const nameOf = edition === 1 ? sectionName1 : sectionName;
  const listed = sections.slice(0, MAX_LISTED).map((section) => ({
    number: section.number,
    name: nameOf(section.number),
    offset: section.offset,
    length: section.bytes.length,
    facts: factsOf(edition, section),
  }));
  const listing = { edition, sections: listed };
  if (problem !== undefined) {
    const expected = edition === 1 ? problem.expected : `${sectionName(problem.section)}: ${problem.expected}`;
    return { ...listing, problem: `expected in ${expected}, found ${problem.found}` };
  }
  if (sections.length <= MAX_LISTED) return listing;
  return { ...listing, problem: `the first ${MAX_LISTED} of ${sections.length} sections are listed` };
}

type Describe = (data: DataView) => readonly (readonly [string, string | number])[];

function factsOf(edition: 1 | 2, { number, bytes }: RawSection): readonly GribFact[] {
  const describe = (edition === 1 ? SECTIONS_1 : SECTIONS_2)[number];
  if (describe === undefined) return [];
  try {
    return describe(view(bytes)).map(([label, value]) => ({ label, value: String(value) }));
  } catch (error) {
    // DataView outside the section: its length is shorter than its template.
    if (error instanceof RangeError) return [{ label: "contents", value: "shorter than their template" }];
    throw error;
  }
}

const identification: Describe = (data) => [
  ["centre", `${data.getUint16(5)}, sub-centre ${data.getUint16(7)}`],
  ["tables", `version ${data.getUint8(9)}, local ${data.getUint8(10)}`],
  ["reference time", `${moment(data)}, ${timeName(data.getUint8(11))}`],
  ["production status", data.getUint8(19)],
  ["type of data", data.getUint8(20)],
];

function moment(data: DataView): string {
  const two = (at: number) => String(data.getUint8(at)).padStart(2, "0");
  return `${data.getUint16(12)}-${two(14)}-${two(15)}T${two(16)}:${two(17)}:${two(18)}`;
}

const grid: Describe = (data) => {
  const template = data.getUint16(12);
  const facts: (readonly [string, string | number])[] = [
    ["grid template", `3.${template}, ${gridName(template)}`],
    ["points", data.getUint32(6)],
  ];
  // Only the templates in which these are in the same places.
  if ([0, 1, 10, 20, 30, 40].includes(template)) {
    facts.push(["columns × rows", `${count(data, 30)} × ${count(data, 34)}`]);
  }
  if (template === 0 || template === 40) {
    facts.push(["first point", point(data, 46, 50)], ["last point", point(data, 55, 59)], scanning(data.getUint8(71)));
  }
  if (template === 20 || template === 30) {
    facts.push(
      ["first point", point(data, 38, 42)],
      ["grid lengths", `${data.getUint32(55)} × ${data.getUint32(59)} mm`],
    );
    facts.push(scanning(data.getUint8(64)));
  }
  return facts;
};

function count(data: DataView, at: number): string {
  const value = data.getUint32(at);
  return value === 0xffffffff ? "missing" : String(value);
}

/** A point in words. Numbers are in microdegrees, unless templates 3.0 and 3.40 name another unit. */
function point(data: DataView, latitude: number, longitude: number): string {
  const isOther = latitude === 46 || latitude === 55 ? data.getUint32(38) !== 0 : false;
  if (isOther) return `${signed32(data, latitude)}, ${signed32(data, longitude)} in units of the message's own`;
  return `latitude ${signed32(data, latitude) / 1e6}, longitude ${signed32(data, longitude) / 1e6}`;
}

function scanning(mode: number): readonly [string, string] {
  const parts = [
    (mode & 128) === 0 ? "columns go east" : "columns go west",
    (mode & 64) === 0 ? "rows go south" : "rows go north",
    (mode & 32) === 0 ? "row by row" : "column by column",
    ...((mode & 16) === 0 ? [] : ["every other row turned over"]),
  ];
  return ["scanning mode", `${mode} (${parts.join(", ")})`];
}

/** Templates 4.0 to 4.15 have their parameter, process, time and surfaces in the same places. */
const product: Describe = (data) => {
  const template = data.getUint16(7);
  const facts: (readonly [string, string | number])[] = [
    ["product template", `4.${template}, ${productName(template)}`],
    ["parameter", `category ${data.getUint8(9)}, number ${data.getUint8(10)}`],
  ];
  if (template <= 15) {
    facts.push(["forecast time", `${signed32(data, 18)} ${unitName(data.getUint8(17))}`]);
    facts.push(["first surface", surface(data, 22)]);
    if (data.getUint8(28) !== 255) facts.push(["second surface", surface(data, 28)]);
  }
  return facts;
};

function surface(data: DataView, at: number): string {
  const [type, factor, value] = [data.getUint8(at), data.getUint8(at + 1), data.getUint32(at + 2)];
  if (factor === 255 || value === 0xffffffff) return `type ${type}`;
  const scale = factor < 128 ? factor : 128 - factor;
  return `type ${type}, value ${signed32(data, at + 2) / 10 ** scale}`;
}

const SCALED: ReadonlySet<number> = new Set([0, 2, 3, 40, 41, 42, 50, 51, 61, 40_000, 40_010]);

const representation: Describe = (data) => {
  const template = data.getUint16(9);
  const facts: (readonly [string, string | number])[] = [
    ["packing template", `5.${template}, ${packingName(template)}`],
    ["values", data.getUint32(5)],
  ];
  if (SCALED.has(template)) {
    facts.push(["reference value", data.getFloat32(11)]);
    facts.push(["binary scale", signed16(data, 15)], ["decimal scale", signed16(data, 17)]);
    facts.push(["bits a value", data.getUint8(19)]);
  }
  if (template === 2 || template === 3) {
    facts.push(["groups", data.getUint32(31)], ["missing values within", data.getUint8(22) === 0 ? "no" : "yes"]);
  }
  if (template === 3) facts.push(["differences of order", data.getUint8(47)]);
  if (template === 4)
    facts.push(["precision", data.getUint8(11) === 2 ? "64 bits" : data.getUint8(11) === 1 ? "32 bits" : "other"]);
  return facts;
};

const bitmap: Describe = (data) => {
  const indicator = data.getUint8(5);
  const names = new Map([
    [255, "none: every point has a value"],
    [254, "the one of the field before"],
    [0, "here, a bit a point"],
  ]);
  return [["bit-map", names.get(indicator) ?? `number ${indicator} of the producing centre`]];
};

const SECTIONS_2: readonly (Describe | undefined)[] = [
  (data) => [
    ["edition", data.getUint8(7)],
    ["discipline", `${data.getUint8(6)}, ${disciplineName(data.getUint8(6))}`],
    ["message length", `${data.getUint32(8) * 2 ** 32 + data.getUint32(12)} bytes`],
  ],
  identification,
  undefined,
  grid,
  product,
  representation,
  bitmap,
  (data) => [["packed values", `${data.byteLength - 5} bytes`]],
  undefined,
];

const product1: Describe = (data) => {
  const two = (at: number) => String(data.getUint8(at)).padStart(2, "0");
  const year = (data.getUint8(24) - 1) * 100 + data.getUint8(12);
  return [
    ["centre", `${data.getUint8(4)}, sub-centre ${data.getUint8(25)}`],
    ["parameter", `number ${data.getUint8(8)} of table ${data.getUint8(3)}`],
    ["level", `type ${data.getUint8(9)}, ${data.getUint16(10)}`],
    ["reference time", `${year}-${two(13)}-${two(14)}T${two(15)}:${two(16)}`],
    ["decimal scale", signed16(data, 26)],
  ];
};

const SECTIONS_1: readonly (Describe | undefined)[] = [
  (data) => [
    ["edition", data.getUint8(7)],
    ["message length", `${data.getUint16(4) * 256 + data.getUint8(6)} bytes`],
  ],
  product1,
  (data) => [
    ["grid", `type ${data.getUint8(5)}`],
    ["columns × rows", `${data.getUint16(6)} × ${data.getUint16(8)}`],
  ],
  (data) => [["bit-map", data.getUint16(4) === 0 ? "here, a bit a point" : `number ${data.getUint16(4)}`]],
  (data) => [
    ["packing", (data.getUint8(3) & 0xf0) === 0 ? "simple" : `other, flags ${data.getUint8(3) >> 4}`],
    ["reference value", ibmFloat(data.getUint32(6))],
    ["binary scale", signed16(data, 4)],
    ["bits a value", data.getUint8(10)],
  ],
  undefined,
];
