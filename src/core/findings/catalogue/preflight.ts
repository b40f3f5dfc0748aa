/** Findings about data files that should be one dataset: reasons against it, and consequences in readers. */
import { type BarrierCode, type BarrierFacts, BARRIERS, barrierSeverity } from "#core/check/preflight.ts";
import { singleText } from "#core/values/number-text.ts";
import { count, counted, listed, shellWord } from "#core/words.ts";
import type { Facts, NoFacts } from "../fact.ts";
import type { Entry, Severity } from "./entry.ts";

/** `first`: three names at most. */
type Files = { readonly count: number; readonly first: readonly string[] };

/** The largest groups of files that say the same; `more`: groups that are not listed. */
type Groups = {
  readonly groups: readonly { readonly value: string; readonly files: Files }[];
  readonly more: number;
};

const baseName = (name: string): string => name.slice(name.lastIndexOf("/") + 1);

const filesWords = ({ count: all, first }: Files): string =>
  all <= first.length
    ? listed(first.map(baseName))
    : `${count(all)} files (${first.slice(0, 1).map(baseName).join()}, …)`;

/** The files that a finding names. */
const those = ({ files }: Pick<BarrierFacts, "files">): string =>
  filesWords({ count: files.length, first: files.slice(0, 3) });

type Word = (value: string) => string;
const asIs: Word = (value) => value;

/** `4 in a.nc and 5 in b.nc`. */
function inGroups({ groups, more }: Groups, word = asIs): string {
  const named = groups.map(({ value, files }) => `${word(value)} in ${filesWords(files)}`);
  return listed(more === 0 ? named : [...named, `${count(more)} other values in further files`]);
}

/** `Combine each group separately: 0.1: a.nc, b.nc; 0.01: c.nc.` */
function apart({ groups }: Groups, word = asIs): string {
  const named = groups.map(({ value, files }) => `${word(value)}: ${filesWords(files)}`);
  return `Combine each group separately: ${named.join("; ")}.`;
}

const tuple: Word = (value) => `(${(JSON.parse(value) as readonly unknown[]).join(", ")})`;

const ENDIAN: Readonly<Record<string, string>> = { "<": " (little-endian)", ">": " (big-endian)" };
const typeWord: Word = (value) => {
  const [dtype = "", read] = value.split(" ");
  return dtype + (ENDIAN[dtype.slice(0, 1)] ?? "") + (read === undefined ? "" : ` read as ${read}`);
};

const fillWord: Word = (value) => {
  const [fill, masks, missing] = JSON.parse(value) as readonly [string, boolean, string | null];
  return `${fill}${masks ? "" : " that masks nothing"}${missing === null ? "" : ` and missing_value ${missing}`}`;
};

type Packing = readonly [scale: number, offset: number];
const packingOf = (value = "1 0"): Packing => value.split(" ").map(Number) as unknown as Packing;

/** The factor, the offset, or both: whatever differs. */
function packingWord({ groups }: Groups): Word {
  const differs = ([0, 1] as const).map((at) => new Set(groups.map(({ value }) => packingOf(value)[at])).size > 1);
  return (value) => {
    const texts = value.split(" ").map(singleText);
    return listed(["scale_factor", "add_offset"].flatMap((name, at) => (differs[at] ? `${name} ${texts[at]}` : [])));
  };
}

/** Effect on values that are unpacked with the packing of the largest group. */
function misread({ groups: [one, other] }: Groups): string {
  const [[scale, offset], [otherScale, otherOffset]] = [packingOf(one?.value), packingOf(other?.value)];
  const wrong = other === undefined ? "" : filesWords(other.files);
  const [round, by] = [(value: number) => Number(value.toPrecision(7)), offset - otherOffset];
  return scale === otherScale
    ? `values of ${wrong} are ${round(Math.abs(by))} too ${by > 0 ? "high" : "low"}`
    : `a stored 1000 of ${wrong}, which is ${round(1000 * otherScale + otherOffset)}, is read as ${round(1000 * scale + offset)}`;
}

type Fit = {
  readonly along: string;
  readonly chunk: number;
  readonly isPlain: boolean;
  readonly isRectilinear: boolean;
};

const fitWords = ({ along, chunk, isPlain, isRectilinear }: Fit): readonly string[] => [
  `Chunks of ${chunk} along ${along} fit all.`,
  ...(isPlain ? ["The values are not compressed: references could be cut to that length without rewriting."] : []),
  ...(isRectilinear ? ["A rectilinear chunk grid (Zarr v3) takes chunks of these lengths as they are."] : []),
];

type Extent = { readonly file: string; readonly least: string; readonly most: string };
type Clash = { readonly one: Extent; readonly other: Extent; readonly shared: number };

const whereWords = ({ file, least, most }: Extent): string =>
  `${baseName(file)} (${[...new Set([least, most])].join(" to ")})`;

const both = (what: string, { one, other }: Clash): string =>
  `${what} both in ${whereWords(one)} and in ${whereWords(other)}: Kerchunk keeps the chunks of one of them, xarray both.`;

const LEFT_OUT: Readonly<Record<string, string>> = {
  "hdf5-elsewhere": "its values lie in other files",
  "hdf5-external-link": "it is a link to another file",
  "grib-points-unknown": "its messages do not say how many points they have",
  "hdf5-filter-unknown": "Zarr has no codec for one of its filters",
};

/** Sentence for variables that are taken once. */
const onlyOne = (facts: BarrierFacts & { readonly groups: Groups["groups"] }, path: string): string =>
  `${path} differs between ${those(facts)} and ${facts.groups
    .slice(0, 1)
    .map(({ files }) => filesWords(files))
    .join()}, but a combined dataset can hold only one.`;

/** `member`: an attribute that gives values their meaning; without, all others that differ are told together. */
type Attributes = Partial<Pick<Groups, "groups">> & {
  readonly more: number;
  readonly member: string | undefined;
  /** Value in the first file, which counts for all. */
  readonly kept?: string | undefined;
  readonly attributes?: readonly { readonly name: string; readonly path: string }[];
};

const leaveOut = (variables: readonly string[]): string =>
  `combine ${variables.map((name) => `--drop ${shellWord(name)}`).join(" ")}`;

type About<F> = (facts: F & BarrierFacts, variable: string) => string;

interface Own<F> extends Pick<Entry<Facts & F & BarrierFacts>, "heading" | "readers"> {
  readonly explain: About<F>;
  readonly remedy: string | About<F>;
  readonly severity?: (facts: F) => Severity;
}

/** The sentence is about the first variable; which others are so stands after it. */
const entry = <F extends Facts = NoFacts>(title: string, { explain, remedy, ...own }: Own<F>) => {
  type All = F & BarrierFacts;
  const words = {
    ...own,
    title,
    about: "files",
    explain: (facts: All) => {
      const [variable = "", ...others] = facts.variables;
      const alike = / differs?\b/.test(title)
        ? `${listed(others)} ${others.length === 1 ? "differs" : "differ"} too`
        : `The same holds for ${listed(others)}`;
      return explain(facts, variable) + (others.length === 0 ? "" : ` ${alike}.`);
    },
    remedy: typeof remedy === "string" ? remedy : (facts: All) => remedy(facts, facts.variables[0] ?? ""),
  };
  return words as unknown as Entry<All>;
};

/** Entries have the severities by which pre-flight decides. */
function graded<T extends Readonly<Record<Exclude<BarrierCode, "unread-in-python" | "coordinate-gap">, object>>>(
  entries: T,
): T {
  const all = Object.entries(entries).map(([code, one]) => [code, { severity: BARRIERS[code as BarrierCode], ...one }]);
  return Object.fromEntries(all) as T;
}

const REFUSED = "VirtualiZarr and kerchunk refuse the files, or combine them to wrong values.";
const UNPACKED = "xarray decodes each file on its own before it joins them; references to the stored chunks cannot.";

export const PREFLIGHT = graded({
  "chunk-shape-differs": entry<Groups & { fit: Fit | undefined }>("Chunk shapes differ", {
    explain: (facts, path) =>
      `${path} has chunks of ${inGroups(facts, tuple)}: one Zarr array has chunks of one shape.`,
    remedy: (facts) => [apart(facts, tuple), ...(facts.fit === undefined ? [] : fitWords(facts.fit))].join(" "),
    readers: REFUSED,
  }),
  "partial-chunk-inside": entry<{ along: string; length: number; chunk: number; fits: readonly number[] }>(
    "A file ends inside a chunk",
    {
      explain: ({ along, length, chunk, files }, path) => {
        const why = length < chunk ? `fewer than a chunk of ${chunk}` : `no multiple of the chunk length ${chunk}`;
        return `${path} has ${length} along ${along} in ${those({ files })}, ${why}. The next file would begin within a chunk, and all that follows would be read from the wrong place.`;
      },
      remedy: ({ along, fits }) =>
        `Rewrite the files with chunks of ${listed(fits.map(String), "or")} along ${along}, which fit all lengths, or join them in xarray after opening each. A rectilinear chunk grid does not help: the last chunk of each file is stored at full length.`,
      readers:
        "Kerchunk writes such references all the same: readers give values of later files to wrong steps, silently.",
    },
  ),
  "codec-differs": entry<Groups>("Codecs differ", {
    explain: (facts, path) =>
      `${path} is stored with ${inGroups(facts)}: one Zarr array has one list of codecs, and other chunks fail to decode or decode to wrong values.`,
    remedy: (facts) => apart(facts),
    readers: REFUSED,
  }),
  "codec-level-differs": entry<Groups>("Compression levels differ", {
    explain: (facts, path) => `${path} is compressed with ${inGroups(facts)}: chunks decode alike.`,
    remedy: "Nothing has to be done.",
    readers: "Readers decode all chunks.",
  }),
  "dtype-differs": entry<Groups>("Data types differ", {
    explain: (facts, path) =>
      `${path} is ${inGroups(facts, typeWord)}: one Zarr array has one type and one byte order, while xarray promotes them to a common type.`,
    remedy: (facts) => `${apart(facts, typeWord)} Join them in xarray after opening.`,
    readers: REFUSED,
  }),
  "fill-differs": entry<Groups>("Fill values differ", {
    explain: (facts, path) =>
      `${path} has the fill value ${inGroups(facts, fillWord)}: with the fill value of the others, missing values of ${those(facts)} become numbers.`,
    remedy: (facts) => `${apart(facts, fillWord)} Join them in xarray after decoding.`,
    readers: UNPACKED,
  }),
  "packing-differs": entry<Groups>("Packing differs", {
    explain: (facts, path) =>
      `${path} is packed with ${inGroups(facts, packingWord(facts))}: read with the packing of the others, ${misread(facts)}.`,
    remedy: (facts) => `${apart(facts, packingWord(facts))} Join them in xarray after decoding.`,
    readers: UNPACKED,
  }),
  "time-units-differ": entry<Groups>("Time units differ", {
    explain: (facts, path) =>
      `${path} counts in ${inGroups(facts, (units) => `“${units}”`)}: one array has one unit, and times of ${those(facts)} would be read wrong.`,
    remedy: (_, path) =>
      `Rewrite ${path} in one unit; Refscope does this for you. Kerchunk: coo_map={"${path}": "cf:${path}"}; VirtualiZarr: loadable_variables=["${path}"].`,
    readers: "Readers give these files' values other times, silently, unless the coordinate is rewritten.",
  }),
  "calendar-differs": entry<Groups>("Calendars differ", {
    explain: (facts, path) =>
      `${path} counts in the calendar ${inGroups(facts)}: the same number is another date, and some dates are in one calendar only.`,
    remedy: (facts) => `${apart(facts)} Or convert them in xarray: ds.convert_calendar.`,
    readers: "Readers give these files' values other dates, silently.",
  }),
  "order-of-files": entry<{ first: string; from: string }>("Files out of order", {
    explain: ({ first, from }, path) =>
      `The files were not given in the order of ${path}: ${baseName(first)}, from ${from}, comes first.`,
    remedy: (_, path) =>
      `Combine them in the order of ${path}, as Refscope, Kerchunk and xr.combine_by_coords do; xr.concat takes the order given.`,
    readers: "xr.concat joins the files in the order given, and the coordinate goes back and forth.",
  }),
  "coordinate-overlap": entry<Clash>("Overlapping coordinates", {
    explain: (facts, path) => `${path} has ${both(counted(facts.shared, "value"), facts)}`,
    remedy: (_, path) => `Leave out what is there twice: ds.drop_duplicates("${path}") in xarray after joining.`,
    readers: "Kerchunk keeps the chunks of one file, silently; xarray keeps both.",
  }),
  "coordinate-duplicate": entry<Clash>("Duplicate coordinates", {
    explain: (facts, path) => `${path} has ${both("the same values", facts)}`,
    remedy: "Leave one of the two out. If they are members of an ensemble, combine them along a new dimension.",
    readers: "Kerchunk keeps the chunks of one file, silently; xarray keeps both.",
  }),
  "coordinate-interleaved": entry<Clash>("Interleaved coordinates", {
    explain: ({ one, other }, path) =>
      `${path} of ${whereWords(other)} lies between values of ${whereWords(one)}: one file would have to be put into the other.`,
    remedy: (_, path) => `Join them in xarray after opening, and sort: ds.sortby("${path}").`,
    readers: "xarray joins the files one after the other, and the coordinate is out of order.",
  }),
  "coordinate-descending": entry<{ from: string; to: string }>("Descending coordinate", {
    explain: ({ files, from, to }, path) =>
      `${path} goes down in ${those({ files })}, from ${from} to ${to}: Kerchunk would put the files into rising order and leave each as it is.`,
    remedy: (_, path) => `Open each file in xarray, sort it (ds.sortby("${path}")), and join them there.`,
    readers: "Readers get a coordinate that goes down in each file and up from file to file.",
  }),
  "coordinate-unsorted": entry<{ value: string; after: string }>("Coordinate out of order", {
    explain: ({ files, value, after }, path) =>
      `${path} is not in order in ${baseName(files[0] ?? "")}: ${value} comes after ${after}.`,
    remedy: (facts, path) => `Sort ${those(facts)}, or join in xarray and sort: ds.sortby("${path}").`,
    readers: "Readers return the coordinate as it is. Selecting a range of it fails.",
  }),
  "coordinate-nan": entry<{ at: number }>("Missing coordinate value", {
    explain: ({ files, at }, path) =>
      `${path} is missing at position ${count(at)} of ${baseName(files[0] ?? "")}: nothing tells where that step belongs.`,
    remedy: (facts, path) => `Correct ${path} in ${those(facts)}.`,
    readers: "xarray joins the files; selecting by the coordinate fails.",
  }),
  "coordinate-from-name-fails": entry("No value for the new dimension", {
    explain: (facts, path) =>
      `No attribute ${path} has a number in each file, and names give none: ${those(facts)} must differ from the others in one number alone.`,
    remedy: (_, path) => `Name the files alike but for a number, or give each a global attribute ${path}.`,
    readers: "xarray numbers the files in the order given.",
  }),
  "identical-coordinate-differs": entry<Groups & { isIndex: boolean }>("Coordinate differs between files", {
    explain: (facts, path) =>
      facts.groups[0]?.value === ""
        ? onlyOne(facts, path)
        : `${path} is ${inGroups(facts, (ends) => (JSON.parse(ends) as string[]).join(" to "))}. One dataset has it once: values of ${those(facts)} would stand at other places.`,
    remedy: (_, path) => `Combine only files with the same ${path}.`,
    readers: ({ isIndex }) =>
      isIndex
        ? 'xarray and VirtualiZarr refuse the files with join="exact".'
        : 'xarray.concat repeats it along the dimension (coords="different").',
  }),
  "identical-variable-differs": entry<Groups & { isIndex: boolean }>("Variable differs between files", {
    explain: onlyOne,
    remedy: ({ variables }, path) => `Leave it out (${leaveOut(variables)}), and read ${path} from each file.`,
    readers: 'xarray.concat repeats it along the dimension (data_vars="all").',
  }),
  "shape-differs": entry<Groups & { isDimension?: boolean }>("Shapes differ", {
    heading: ({ isDimension }) => (isDimension === true ? "Lengths of a dimension differ" : undefined),
    explain: (facts, path) =>
      facts.isDimension === true
        ? `The dimension ${path} has the length ${inGroups(facts)}.`
        : `${path} has the shape ${inGroups(facts, tuple)}.`,
    remedy: (facts) => (facts.isDimension === true ? apart(facts) : apart(facts, tuple)),
    readers: "xarray refuses the files, or fills up with missing values; references cannot.",
  }),
  "variable-missing": entry<{ having: Files }>("Variable missing from some files", {
    explain: (facts, path) =>
      `${path} is missing from ${those(facts)}, but is in ${filesWords(facts.having)}. xarray fills it with NaN there; xarray 2023.01 refuses the files, or drops what the first one lacks.`,
    remedy: ({ variables }) =>
      `Leave it out (${leaveOut(variables)}; drop_variables in xarray and VirtualiZarr), or combine the files that have it separately.`,
    readers: "Kerchunk writes references for fewer steps than the coordinate has.",
  }),
  "dims-differ": entry<Groups>("Dimensions differ", {
    explain: (facts, path) => `${path} has the dimensions ${inGroups(facts, tuple)}.`,
    remedy:
      "References can neither rename nor transpose: do that in xarray after opening (ds.rename, ds.transpose), and join there.",
    readers: REFUSED,
  }),
  "attributes-differ": entry<Attributes>("Attributes differ", {
    severity: (facts) => barrierSeverity({ code: "attributes-differ", facts }),
    heading: ({ member }) => (member === undefined ? undefined : `Attribute ${member} differs`),
    explain: (facts, path) => {
      const { attributes = [], groups = [], more, member, kept } = facts;
      if (member !== undefined)
        return `${path === "" ? "The whole dataset" : path} has the ${member} ${inGroups({ groups, more })}: combined, ${kept === undefined ? "no value would have one" : `all values would be labelled ${kept}`}.`;
      const named = attributes.map(({ name, path: of }) => (of === "" ? name : `${name} of ${of}`));
      return `Attributes differ between files: ${listed(more === 0 ? named : [...named, `${count(more)} more`])}. Those of the first file are kept.`;
    },
    remedy: ({ member, groups = [], more }) =>
      member === undefined
        ? 'In xarray and VirtualiZarr combine_attrs="drop_conflicts" leaves them out.'
        : `If only the texts differ, correct them in the files, or accept the difference with --accept. ${apart({ groups, more })}`,
    readers: "Readers get the attributes of the first file for all.",
  }),
  "empty-file": entry("Empty file", {
    explain: (facts, path) => `${those(facts)} has no element along ${path}.`,
    remedy: (facts) => `Leave ${those(facts)} out.`,
    readers: "xarray joins it as nothing; kerchunk fails on it.",
  }),
  "file-damaged": entry("Damaged data file", {
    explain: (facts) => `${those(facts)} is damaged: arrays or chunks may be missing from it.`,
    remedy: "Fetch it again, or leave it out; check says where it is damaged.",
    readers: "The format's own library refuses the file, or what is below the damage.",
  }),
  "left-out": entry<{ why: string }>("Variable without references", {
    explain: (facts, path) =>
      `${path} of ${those(facts)} is left out: ${LEFT_OUT[facts.why] ?? "Zarr has no data type for its elements"}.`,
    remedy: "Read it from the files themselves, with h5py or netCDF4.",
    readers: "Readers of the references do not find the variable.",
  }),
});
