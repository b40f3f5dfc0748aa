/** Two places that state one fact, and disagree: found by holding the statements of a set against each other. */
import { about } from "./entry.ts";
import type { Disagreement, Quantity, StatedChange, StatementSide, StatementSource } from "#core/check/statement.ts";
import { count, counted, cut, listed, quoted } from "#core/words.ts";
import { number, share } from "./value-phrases.ts";

const SOURCES: Readonly<Record<StatementSource["kind"], (name: string) => string>> = {
  values: (name) => name,
  bounds: (name) => `its bounds ${name}`,
  attribute: (name) => name,
  steps: (name) => `the even steps of ${name}`,
  sum: (name) => name,
  messages: (name) => `the GRIB messages of ${name}`,
  file: (name) => `the source file ${quoted(name, 80)}`,
  "file-name": (name) => `the file name ${quoted(name, 80)}`,
  convention: (name) => name,
  sibling: (name) => name,
  level: (name) => `level ${name}`,
  data: (name) => `the values of ${name}`,
};

export const sourceText = ({ kind, name }: StatementSource): string => SOURCES[kind](cut(name, 80));

/** Without the array that it belongs to, which is not named there. */
const statedName = (source: StatementSource): string =>
  source.kind === "bounds" ? cut(source.name, 80) : sourceText(source);

const isMany = ({ kind }: StatementSource): boolean => ["bounds", "steps", "messages", "data"].includes(kind);

/** Names keep their first letter. */
const capital = (text: string): string =>
  text.replace(/^(?:its|the) /, (word) => word.charAt(0).toUpperCase() + word.slice(1));

/** "Half a cell", "one step". */
const cellsText = (cells: number, unit: "cell" | "step"): string =>
  cells === 0.5 ? `half a ${unit}` : cells === 1 ? `one ${unit}` : `${number(cells)} ${unit}s`;

export function shiftText(
  { by, cells, time }: Extract<StatedChange, { kind: "shifted" }>,
  unit: string | undefined,
): string {
  const amount =
    time === undefined
      ? `${number(Math.abs(by))}${unit === undefined ? "" : ` ${unit}`}`
      : counted(time.amount, time.unit.slice(0, -1));
  return cells === undefined
    ? amount
    : `${cellsText(Math.abs(cells), time === undefined ? "cell" : "step")} (${amount})`;
}

type Changed = Pick<Disagreement, "change" | "a" | "b" | "unit"> & Partial<Pick<Disagreement, "differ" | "of">>;

/** The change that makes the first as the second, in a sentence that begins with a space. */
export function changeText({ change, a, b, unit, differ = 1, of = 1 }: Changed): string {
  const [one, other] = [sourceText(a.source), sourceText(b.source)];
  switch (change?.kind) {
    case undefined:
      return differ < of ? ` ${count(differ)} of ${count(of)} differ.` : "";
    case "one":
      return ` Only this one value of ${count(of)} differs.`;
    case "swapped":
      return ` The values at positions ${listed(change.positions.map(String))} are exchanged.`;
    case "reversed":
      return ` ${capital(one)} and ${other} run in opposite directions: each is the other one reversed.`;
    case "permuted":
      return " Both have the same values in another order: they are permuted.";
    case "sign":
      return " They differ only in their sign.";
    case "shifted":
      // A place on a plane differs along two axes.
      if (a.source.kind === "convention") return ` ${capital(one)} lies ${shiftText(change, unit)} away from ${other}.`;
      return ` All of ${one} ${isMany(a.source) ? "lie" : "lies"} ${shiftText(change, unit)} ${change.by > 0 ? (change.time === undefined ? "higher" : "later") : change.time === undefined ? "lower" : "earlier"} than ${other}.`;
    case "times":
      return change.units === undefined
        ? ` ${capital(one)} is ${change.factor >= 1 ? `${number(change.factor)} times` : `1/${number(1 / change.factor)} of`} ${other}.`
        : ` The unit says ${change.units[0] ?? ""} where ${change.units[1] ?? ""} are meant: ${number(Math.max(change.factor, 1 / change.factor))} times ${change.factor > 1 ? "too long" : "too short"}.`;
    case "moved":
      return ` All values of ${one} are off by one step: each belongs to the element ${change.steps > 0 ? "after" : "before"} it.`;
    case "gdal":
      return ` The numbers of ${one} are in the order of GDAL's GeoTransform.`;
    case "restarts":
      return ` By ${one}, features end at the first elements; ${other} goes back at the second, as times do only where another feature begins.`;
    case "wrapped":
      return ` Values beyond that range were wrapped around it: at ${counted(change.places, "place")} neighbours differ by just ${number(Number(change.range.toPrecision(5)))}.`;
    case "unsigned":
      return " Read as unsigned numbers, all of them are flags: the attribute _Unsigned is missing.";
    case "left-out":
      return " It has no reference, because the file keeps it in compact storage, and reads as the fill value.";
    case "exchanged":
      return ` The values of ${cut(change.with, 80)} fit: the two arrays are interchanged.`;
    case "units":
      return ` In ${listed(change.meant.slice(0, 3), "or")} this would be usual: the units are wrong, or scale_factor and add_offset are.`;
  }
}

const others = ({ agree, b }: Disagreement): string =>
  agree.length === 0
    ? ""
    : ` ${capital(listed(agree.map(sourceText)))} ${agree.length === 1 && !agree.some(isMany) ? "agrees" : "agree"} with ${sourceText(b.source)}.`;

function mendText(facts: Disagreement): string {
  const { quantity, change, a, b, agree, right } = facts;
  const own = statedName(a.source);
  const by = right.length > 0 && a.source.kind === "values" ? `: ${listed(right)}` : "";
  const what =
    agree.length === 0
      ? `Find out which of the two is right, and correct the other`
      : `Correct ${own} to match ${statedName(b.source)}`;
  if (a.source.kind === "convention" && right.length > 0)
    return `${agree.length === 0 ? `${what}: by ${statedName(b.source)}, ${own} is` : `Write ${own} as`} ${right[0] ?? ""}${change?.kind === "shifted" && Math.abs(change.cells ?? 0) === 0.5 ? ", unless its registration is wrong (pixel: edges; node: centres)" : ""}.`;
  if (b.source.kind === "convention") return `Write ${b.value} as ${own}.`;
  if (b.source.kind === "file-name" && quantity === "count")
    return "Look for the missing steps: fetch the file again, or ask its provider.";
  if (change?.kind === "left-out") return `Write ${b.value} into the references, as inline bytes.`;
  if (change?.kind === "exchanged") return `Exchange the values of the two arrays, or their names and attributes.`;
  if (change?.kind === "wrapped")
    return `Write ${b.source.name} again from its source, with a scale_factor and add_offset that hold all values.`;
  if (change?.kind === "unsigned") return 'Write the attribute _Unsigned = "true", or an unsigned type.';
  if (change?.kind === "reversed")
    return `${what}: reverse the values of ${agree.length === 0 ? "this coordinate" : own}, not the data.`;
  if (change?.kind === "times" && change.units !== undefined)
    return `Write ${change.units[1] ?? ""} in the units of ${own}${by === "" ? "" : `, or its values as ${b.source.name} has them${by}`}.`;
  if (change?.kind === "units")
    return `Write ${listed(change.meant.slice(0, 3), "or")} as units, or correct scale_factor and add_offset.`;
  if (change?.kind !== "shifted") return `${what}${by}.`;
  const amount = shiftText({ kind: "shifted", by: change.by, ...(change.time && { time: change.time }) }, undefined);
  return `${what}: ${change.by > 0 ? "subtract" : "add"} ${amount} ${change.by > 0 ? "from" : "to"} ${own}.`;
}

const TURNED: Readonly<Record<string, string>> = {
  "turned-rows": " Upside down, it fits: its rows are reversed.",
  "turned-columns": " Mirrored from left to right, it fits: its columns are reversed.",
  turned: " Turned by 180 degrees, it fits.",
  transposed: " Transposed, it fits.",
  moved: " Moved by one pixel, it fits.",
};

/** `outside`: share of its pixels whose value none of those beneath reaches. `change`: makes it fit. */
type OtherLevel = {
  readonly path: string;
  readonly level: number;
  readonly other: string;
  readonly outside: number;
  readonly mean: number;
  readonly otherMean: number;
  readonly change: string | undefined;
  readonly factor: number | undefined;
};

/** `names`: of variables of the file; `by`: the array whose attribute names it. */
type LeftOut = {
  readonly file: string;
  readonly names: readonly string[];
  readonly shape: readonly number[];
  readonly dtype: string;
  readonly by: string | undefined;
  readonly attribute: string | undefined;
};

const PLACED = "Readers take one of the two, silently: they place these values wrongly, or select others.";

const READERS: Partial<Readonly<Record<Quantity, string>>> = {
  bounds:
    "Readers that weigh or regrid by cells (xESMF, CDO, Iris) use the bounds, others the coordinate: silently, they differ.",
  pixel:
    "Readers that use the attributes (GDAL, rioxarray, titiler) and those that use x and y place the image differently, silently.",
  crs: "Readers that take the code and those that take the text place the data differently, silently.",
};

type Calendar = {
  readonly array: string;
  readonly calendar: string;
  readonly isDefault: boolean;
  readonly meant: string;
  /** First and last time by the calendar that is said, and by the one that is meant. */
  readonly first: readonly string[];
  readonly last: readonly string[];
  readonly steps: number;
  readonly isMonthly: boolean;
};

type BoundsUnfit = { readonly array: string; readonly bounds: string } & (
  | { readonly problem: "shape"; readonly shape: readonly number[]; readonly found: readonly number[] }
  | {
      readonly problem: "apart";
      readonly position: number;
      readonly end: string;
      readonly start: string;
      readonly touching: number;
      readonly unit: string | undefined;
    }
);

/** `exchanged`: two chunks that have each other's message. */
type Elsewhere = {
  readonly array: string;
  readonly key: string;
  readonly says: string;
  readonly meant: string;
  readonly messages: number;
  readonly of: number;
  readonly exchanged: readonly string[] | undefined;
};

/** `other`: one of that kind which is there; `losesCrs`: nothing else places the data. */
type NamedAbsent = {
  readonly attribute: string;
  readonly name: string;
  readonly other: string | undefined;
  readonly losesCrs: boolean;
};

const { warning, error } = about("values", { question: "values" });
const source = about("source", { question: "complete" });

export const WITNESS = {
  "statements-disagree": warning<Disagreement>("Two statements disagree", {
    heading: ({ a, b }) => `Mismatch between ${statedName(a.source)} and ${statedName(b.source)}`,
    explain: (facts) => {
      const { a, b, position, of, unit } = facts;
      const side = ({ source, value }: StatementSide) =>
        `${sourceText(source)} ${isMany(source) ? "say" : "says"} ${value}`;
      const at = of > 1 ? `At position ${count(position)} ` : "";
      const units = unit === undefined || a.value.endsWith(unit) ? "" : ` (${cut(unit, 40)})`;
      return `${at === "" ? capital(side(a)) : `${at}${side(a)}`}, ${side(b)}${units}.${changeText(facts)}${others(facts)}`;
    },
    remedy: mendText,
    readers: ({ quantity }) => READERS[quantity] ?? PLACED,
  }),
  "calendar-unlike-months": warning<Calendar>("Calendar does not fit the times", {
    explain: ({ array, calendar, isDefault, meant, first, last, steps, isMonthly }) =>
      `In the calendar of ${array} (${calendar}${isDefault ? ", the default" : ""}) its ${count(steps)} ${isMonthly ? "monthly" : "yearly"} steps fall on different days of the month, from ${first[0] ?? ""} to ${last[0] ?? ""}. In the calendar ${meant} all fall on the same day, from ${first[1] ?? ""} to ${last[1] ?? ""}.`,
    remedy: ({ meant, array }) => `Write calendar ${meant} in the attributes of ${array}.`,
    readers: "Readers give the steps dates that are days or months off, silently.",
  }),
  "bounds-unfit": warning<BoundsUnfit>("Bounds do not fit their coordinate", {
    explain: (facts) =>
      facts.problem === "shape"
        ? `${facts.array} names ${facts.bounds} as its bounds. Their shape is [${facts.found.join(", ")}]; it should be [${facts.shape.join(", ")}, 2], or more vertices at the end.`
        : `By ${facts.bounds}, each cell of ${facts.array} touches the next, except one: cell ${count(facts.position)} ends at ${facts.end}, and cell ${count(facts.position + 1)} begins at ${facts.start}${facts.unit === undefined ? "" : ` (${cut(facts.unit, 40)})`}. One of these two bounds is wrong.`,
    remedy: ({ bounds }) => `Correct ${bounds}.`,
    readers: "Readers that weigh or regrid by cells use the bounds as they are, silently.",
  }),
  "message-elsewhere": error<Elsewhere>("GRIB messages of another place", {
    heading: ({ exchanged }) => (exchanged === undefined ? undefined : "Two chunks have each other's GRIB message"),
    explain: ({ array, key, says, meant, messages, of, exchanged }) =>
      exchanged === undefined
        ? `${count(messages)} of ${counted(of, "message")} that ${array} refers to ${messages === 1 ? "belongs" : "belong"} to another place: the first says ${key} ${says}${meant === "NaN" ? "" : `, where ${meant} belongs`}.`
        : `The references of chunks ${listed(exchanged)} of ${array} are exchanged: the message of the first says ${key} ${says}, where ${meant} belongs, and that of the second the other way round.`,
    remedy: ({ exchanged }) =>
      exchanged === undefined
        ? "Make the references again from the file's own messages."
        : "Exchange the two references.",
    readers: "Readers show values of another step, level or member, silently.",
  }),
  "level-of-other-values": warning<OtherLevel>("A level has the values of another image", {
    explain: ({ path, level, other, outside, mean, otherMean, change, factor }) =>
      change === "averaged"
        ? `Level ${count(level)} of the labels, ${quoted(path, 80)}, has numbers that are no label of ${quoted(other, 80)}, in ${share(outside)} of its pixels: it was averaged or interpolated, which makes up labels between two others.`
        : `Level ${count(level)}, ${quoted(path, 80)}, does not follow from ${quoted(other, 80)}: ${share(outside)} of its pixels lie outside the range of the pixels that they cover.${Number.isNaN(mean) ? " All of them are missing." : ` The means are ${number(Number(mean.toPrecision(5)))} and ${number(Number(otherMean.toPrecision(5)))}.`}${change === "times" ? ` Divided by ${number(Number((factor ?? NaN).toPrecision(4)))}, it fits.` : (TURNED[change ?? ""] ?? "")}`,
    remedy: ({ path, other, level, change }) =>
      `Write level ${count(level)} (${path}) again from ${other}${change === "averaged" ? ", with the nearest or the most frequent label" : ""}.`,
    readers: "Viewers show another picture when they zoom out, silently.",
  }),
  "variable-left-out": source.graded<LeftOut>("Variables of the file are not in the dataset", {
    severity: ({ by }) => (by === undefined ? "info" : "warning"),
    heading: ({ names, by }) => (by === undefined ? undefined : `The dataset lacks ${quoted(names[0] ?? "", 60)}`),
    explain: ({ file, names, shape, dtype, by, attribute }) =>
      by === undefined
        ? `${quoted(file)} has ${counted(names.length, "variable")} that the dataset lacks: ${listed(names.map((name) => quoted(name, 60)))}.`
        : `${quoted(file)} has ${quoted(names[0] ?? "", 60)} ([${shape.join(", ")}], ${dtype}), which the dataset lacks although ${by} names it in ${attribute ?? ""}: it was left out when the references were made.`,
    remedy:
      "Inline the variable, or make the references again with it (Kerchunk: vlen_encode, inline_threshold; VirtualiZarr: loadable_variables).",
    readers: "Readers open the dataset without it, silently.",
  }),
  "named-absent": about("metadata").graded<NamedAbsent>("An attribute names a variable that is not there", {
    severity: ({ other, losesCrs }) => (other === undefined && !losesCrs ? "info" : "warning"),
    explain: ({ attribute, name, other, losesCrs }) =>
      `The attribute ${attribute} names ${quoted(name, 80)}, which the dataset does not have${other === undefined ? "" : `, though it has ${quoted(other, 80)} of that kind: the variable was left out or renamed`}.${losesCrs ? " Nothing else names the CRS of x and y." : ""}`,
    remedy: ({ attribute }) => `Write the variable, or correct ${attribute}.`,
    readers: "Readers that follow the attribute warn, or go on without it (xarray, Iris, cf-python).",
  }),
};
