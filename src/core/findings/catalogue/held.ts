/** References and metadata held against what the source files say of themselves. */
import { about } from "./entry.ts";
import { changeText } from "./witness.ts";
import type { StatedChange } from "#core/check/statement.ts";
import { MEMBER_NAMES, type MetadataMember } from "#core/metadata/member-names.ts";
import { count, counted, listed, quoted } from "#core/words.ts";

/** Compared member, by its name in the metadata. */
export type HeldMember =
  | Exclude<MetadataMember, "shape" | "shards" | "codecs" | "level" | "missing" | "sign">
  | "filters";

/** `file`: the first that is meant; how many of those that were looked at. */
type Files = { readonly file: string; readonly files: number; readonly of: number };

const inFiles = ({ file, files, of }: Files): string =>
  files === 1 ? `in ${quoted(file)}` : `in ${count(files)} of ${counted(of, "file")} looked at (first ${quoted(file)})`;

const MEMBERS = { ...MEMBER_NAMES, filters: "filters", dimensions: "order of dimensions" } as const;

const WRONG_VALUES: Readonly<Record<HeldMember, string>> = {
  dtype: "Readers decode wrong numbers, or refuse the chunks for their size.",
  "byte-order": "Readers swap no bytes, or the wrong ones: values are noise.",
  chunks: "Readers put values at wrong places, or refuse the chunks for their size.",
  filters: "Readers fail on the chunks, or decode noise.",
  scale_factor: "Readers unpack these files' values with another file's packing, silently.",
  add_offset: "Readers unpack these files' values with another file's packing, silently.",
  units: "Readers give these files' values another meaning, silently.",
  calendar: "Readers give these files' times other dates, silently.",
  fill: "Readers take the files' fill values for data, or data for missing values, silently.",
  dimensions: "Readers put values along the wrong dimensions, silently.",
};

type Differs = Files & { readonly member: HeldMember; readonly set: string; readonly has: string };

/** Error of values v = n × scale + offset under the other packing of the same n. */
const packingError = ({ member, set, has }: Differs): string => {
  const [s, h] = [
    Number(set === "none" ? (member === "add_offset" ? 0 : 1) : set),
    Number(has === "none" ? (member === "add_offset" ? 0 : 1) : has),
  ];
  if (Number.isNaN(s) || Number.isNaN(h)) return "";
  if (member === "add_offset")
    return ` With equal scales their values are read ${Math.abs(s - h)} too ${s > h ? "high" : "low"}.`;
  return member === "scale_factor" && h !== 0
    ? ` What varies in them is read ${Number((s / h).toPrecision(4))} times as large.`
    : "";
};

type Moved = Files & {
  readonly chunks: number;
  readonly among: number;
  /** Bytes, where all are moved by as many. */
  readonly by: number | undefined;
  /** Most references to the file are so. */
  readonly isOther: boolean;
};

type StepsDiffer = Files & {
  readonly coordinate: string;
  readonly step: number;
  readonly set: string;
  readonly has: string;
  readonly change?: StatedChange | undefined;
};

function stepsChange({ change, coordinate, file, set, has }: StepsDiffer): string {
  const a = { source: { kind: "values", name: coordinate }, value: set } as const;
  const b = { source: { kind: "file", name: file }, value: has } as const;
  return changeText({ change, a, b, unit: undefined });
}

const { error, warning } = about("source", { question: "sources" });
const values = about("source", { question: "values" });

export const HELD = {
  "held-chunks-moved": error<Moved>("References are those of an older file", {
    heading: ({ by, isOther }) =>
      isOther
        ? undefined
        : by === undefined
          ? "The chunk is elsewhere in the file"
          : `The offset is shifted by ${counted(Math.abs(by), "byte")}`,
    explain: (facts) => {
      const lies = facts.chunks === 1 ? "lies" : "lie";
      const by =
        facts.by === undefined
          ? "elsewhere"
          : `${count(Math.abs(facts.by))} bytes ${facts.by > 0 ? "later" : "earlier"}`;
      const where = `By the file's own index ${count(facts.chunks)} of ${counted(facts.among, "chunk")} ${inFiles(facts)} ${lies} ${by}`;
      return facts.isOther
        ? `${where}: the file was rewritten or replaced after its references were made, or they were made from another file.`
        : `${where} than the reference says.`;
    },
    remedy: ({ isOther }) =>
      isOther ? "Make the references again from the file as it is now." : "Take the offset from the file's index.",
    readers: "Readers decode other bytes: codecs fail, and uncompressed chunks get wrong values.",
  }),
  "held-length-differs": error<Files & { readonly chunks: number; readonly length: number; readonly has: number }>(
    "The file's chunks have other lengths",
    {
      heading: ({ chunks, length, has }) =>
        chunks === 1
          ? `The length is ${counted(Math.abs(has - length), "byte")} too ${length < has ? "short" : "long"}`
          : undefined,
      explain: (facts) =>
        `${counted(facts.chunks, "reference")} ${inFiles(facts)} ${facts.chunks === 1 ? "has" : "have"} another length than the file's own index: the first has ${count(facts.length)} bytes, the chunk ${count(facts.has)}.`,
      remedy: "Take the lengths from the file's index.",
      readers: "A chunk that is cut fails to decode; bytes too many fail or are dropped, by codec.",
    },
  ),
  "held-chunk-other": error<Files & { readonly chunks: number; readonly array: string }>("Another chunk's bytes", {
    explain: (facts) =>
      `By the file's own index ${counted(facts.chunks, "reference")} ${inFiles(facts)} ${facts.chunks === 1 ? "points" : "point"} to other chunks of the file (${facts.array}) than those that belong there.`,
    remedy: "Make the references again from the file.",
    readers: "Readers show values of another place or variable, silently.",
  }),
  "held-chunk-none": error<
    Files & { readonly chunks: number; readonly has: string; readonly chunk: readonly number[] }
  >("The file has no such chunks", {
    explain: (facts) =>
      `${counted(facts.chunks, "reference")} ${inFiles(facts)} ${facts.chunks === 1 ? "is to a chunk" : "are to chunks"} that the file does not have: its array is ${facts.has}, and its index ends before chunk ${facts.chunk.join(".")}.`,
    remedy: "Correct the shape to the file's, or make the references again.",
    readers: "Readers decode whatever lies there, or read past the end of the file.",
  }),
  "held-chunk-unnamed": warning<Files & { readonly chunks: number }>("Chunks of the file without a reference", {
    explain: (facts) =>
      `The file's own index has ${counted(facts.chunks, "chunk")} ${inFiles(facts)} to which no reference points, though others of the same array have one.`,
    remedy: "Make the references again from the file.",
    readers: "Readers give the fill value there: data that exist read as missing.",
  }),
  "held-filters-skipped": error<
    Files & { readonly chunks: number; readonly filters: readonly string[]; readonly mask: number }
  >("Chunks are stored without a filter", {
    explain: (facts) =>
      `${counted(facts.chunks, "chunk")} ${inFiles(facts)} ${facts.chunks === 1 ? "is" : "are"} stored without ${listed(facts.filters)} (filter mask ${facts.mask} in the HDF5 chunk index), though the array's codecs claim it of all chunks. The file is as it was.`,
    remedy: "Inline their decoded values, or make the references with a Kerchunk that reads filter masks.",
    readers: "Readers fail to decode these chunks, or decode them to wrong values.",
  }),
  "held-metadata-differs": values.error<Differs>("The source files say otherwise", {
    heading: ({ member }) => `The files have another ${MEMBERS[member]}`,
    explain: (facts) =>
      `The dataset's ${MEMBERS[facts.member]} is ${facts.set}; ${inFiles(facts)} it is ${facts.has}.${packingError(facts)}`,
    remedy: ({ member, files, of }) =>
      member === "scale_factor" || member === "add_offset"
        ? "Split the dataset by packing, one dataset a group, or decode the files: no one attribute is right for all."
        : files === of
          ? `Write the files' ${MEMBERS[member]}.`
          : "Put only files that agree into one dataset.",
    readers: ({ member }) => WRONG_VALUES[member],
  }),
  "held-partial-chunk": values.error<
    Files & {
      readonly dimension: string;
      readonly length: number;
      readonly chunk: number;
      readonly late: number;
      readonly next: string;
    }
  >("A file ends inside a chunk", {
    explain: ({ file, dimension, length, chunk, late, next }) =>
      `${quoted(file)} has ${count(length)} steps of ${dimension} in chunks of ${count(chunk)}: its last chunk is partial, so ${quoted(next)} begins inside a chunk, which a regular chunk grid cannot hold. From there on values are off by ${counted(late, "step")}.`,
    remedy: "Rechunk so that every file begins at a chunk, write a rectilinear chunk grid, or keep one dataset a file.",
    readers: "Readers give values of later files to wrong steps, silently.",
  }),
  "held-steps-differ": values.warning<StepsDiffer>("A coordinate differs from the source files'", {
    explain: (facts) =>
      `At step ${count(facts.step)} the dataset's ${facts.coordinate} is ${facts.set}; ${inFiles(facts)}, whose data is there, it is ${facts.has}.${stepsChange(facts)}`,
    remedy:
      "Check the order in which the files were combined, and each file's units, unless the coordinate was changed on purpose.",
    readers: "Readers give these files' values to other coordinates, silently.",
  }),
  "held-extent-differs": values.error<
    Files & { readonly coordinate: string; readonly set: string; readonly has: string; readonly shift: string }
  >("Files cover different extents", {
    explain: (facts) =>
      `${facts.coordinate} is the first file's, from ${facts.set}; ${inFiles(facts)} it begins at ${facts.has}, ${facts.shift}. Their data lies at the wrong place.`,
    remedy: "Put the files on one grid first, or keep one dataset a file: a dataset has one of each coordinate.",
    readers: "Readers draw these files' values at the first file's coordinates, silently.",
  }),
};
