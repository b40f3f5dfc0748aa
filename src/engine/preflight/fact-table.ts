/**
 * Table of files' facts: facts that all share are stated once; those that differ, or that a barrier is about, have a
 * column.
 */
import { barrierFacts, barrierSeverity, type FactCell, type FactTable } from "#core/check/preflight.ts";
import type { Finding } from "#core/findings/finding.ts";
import { groupedBy } from "#core/basics.ts";
import type { SourceArray } from "#core/source-file.ts";
import { singleText } from "#core/values/number-text.ts";
import { listed } from "#core/words.ts";
import { typeWords } from "#core/metadata/data-type.ts";
import type { Placed } from "./place-files.ts";
import { lengthAlong, type Plan } from "./plan.ts";
import type { Examined } from "./preflight.ts";
import { isCoordinate, type SourcedFile, unquoted } from "./sourced-file.ts";
import { codecWords, pathsOf } from "./variable-barriers.ts";

interface Fact {
  readonly title: string;
  /** The variable it is of; "" is the file. */
  readonly path: string;
  /**
   * Rank of a variable's fact: how much of it must be taken as stored for this to matter. Facts of rank 0 are not
   * listed for all files.
   */
  readonly rank: number;
  /** Names of barriers that are about it. */
  readonly about: RegExp;
  /** `undefined` where the file has no such variable. */
  readonly textOf: (file: SourcedFile, at: number) => string | undefined;
}

const textIn = ({ attributes }: SourceArray, name: string): string => unquoted(attributes.get(name) ?? "");
const packing = (array: SourceArray): string =>
  ["scale_factor", "add_offset"]
    .flatMap((name) => (array.attributes.has(name) ? `${name} ${singleText(textIn(array, name))}` : []))
    .join(", ");
const otherLengths = ({ shape, dimensions }: SourceArray, along = ""): string =>
  shape.map((length, at) => (dimensions[at] === along ? along : length)).join(" × ");

type Kind = readonly [rank: number, title: string, about: RegExp, textOf: (one: SourceArray, along?: string) => string];

const KINDS: readonly Kind[] = [
  [0, "Dimensions", /^dims/, ({ dimensions }) => dimensions.join(", ")],
  [0, "Shape", /^shape/, otherLengths],
  [0, "Units", /^(?:time-units|attributes)/, (one) => textIn(one, "units")],
  [0, "Calendar", /^(?:calendar|attributes)/, (one) => textIn(one, "calendar")],
  [1, "Type", /^dtype/, ({ dtype }) => typeWords(unquoted(dtype))],
  [3, "Chunks", /^chunk/, ({ chunks }) => chunks.join(" × ")],
  [3, "Codecs", /^codec/, (one) => codecWords(one, true).replace("no codec", "none")],
  [2, "Packing", /^packing/, packing],
  [2, "Fill value", /^fill/, (one) => `${one.fill === "null" ? "" : one.fill} ${textIn(one, "missing_value")}`.trim()],
];

const rankOf = (path: string, { along, ...plan }: Plan): number =>
  !plan.isJoined(path) ? 1 : !plan.isRewritten(path) ? 3 : path === along ? 0 : 2;

function factsOf(files: readonly SourcedFile[], plan: Plan, values: Placed["values"]): readonly Fact[] {
  const { along = "", how } = plan;
  const paths = pathsOf(files);
  const areWhole = files.every(({ arrays }) => arrays.size === paths.length);
  const extent = (path: string) => (file: SourcedFile) => {
    const [text, length] = [file.coordinates.get(path)?.text, lengthAlong(file, path) ?? 0];
    return text === undefined || length === 0 ? undefined : [...new Set([text(0), text(length - 1)])].join(" to ");
  };
  const own = how === "stack" ? (_: SourcedFile, at: number) => values?.[at]?.toString() : extent(along);
  const steps = (file: SourcedFile) => (how === "concatenate" ? lengthAlong(file, along)?.toString() : undefined);
  const variables = ({ arrays }: SourcedFile) => {
    const without = paths.filter((path) => !arrays.has(path));
    if (how !== "merge" && !areWhole) return without.length > 0 ? `without ${named(without)}` : "all";
    return named([...arrays.values()].flatMap((one) => (isCoordinate(one) ? [] : one.path)));
  };
  return [
    { title: along, path: "", rank: 0, about: /^(?:order|empty|coordinate)/, textOf: own },
    { title: "Format", path: "", rank: 1, about: /^file/, textOf: ({ source }) => source.label },
    { title: "Variables", path: "", rank: 1, about: /^variable/, textOf: variables },
    { title: "Steps", path: "", rank: 1, about: /^partial/, textOf: steps },
    ...paths.flatMap((path): readonly Fact[] => [
      ...(plan.isJoined(path) ? [] : [{ title: "Values", path, rank: 0, about: /^identical/, textOf: extent(path) }]),
      ...KINDS.filter(([rank]) => rank <= rankOf(path, plan)).map(([rank, title, about, textIn]): Fact => {
        const textOf = ({ arrays }: SourcedFile) => arrays.get(path) && textIn(arrays.get(path) as SourceArray, along);
        return { title, path, rank, about, textOf };
      }),
    ]),
  ];
}

const MOST_COLUMNS = 10;

/** A fact with its cells. */
function looked(fact: Fact, files: readonly SourcedFile[], found: readonly Finding[]) {
  const { path, title, about } = fact;
  const texts = files.map(fact.textOf);
  const isOne = new Set(texts.filter((one) => one !== undefined)).size < 2;
  // A fact that all files share is right, except values of which only the ends are shown.
  const isRight = path !== "" && title !== "Values" && isOne;
  const those = found.filter(
    (one) => about.test(one.code) && (path === "" || barrierFacts(one).variables.includes(path)),
  );
  const odd = those.map((one) => ({ severity: barrierSeverity(one), names: new Set(barrierFacts(one).files) }));
  const severities = files.map(({ name }) =>
    isRight ? undefined : odd.find(({ names }) => names.has(name))?.severity,
  );
  const cells = texts.map((one = "", at): FactCell => [one, severities[at]]);
  const isMarked = severities.some((one) => one !== undefined);
  return { ...fact, cells, isMarked, isAlike: isOne && !isMarked };
}

export function factTable({ plan, placed, answer }: Examined, files: readonly SourcedFile[]): FactTable {
  const ordered = [...new Set([...placed.order, ...files])];
  const facts = factsOf(ordered, plan, placed.values).map((fact) => looked(fact, ordered, answer.findings));
  const groups = [
    ...groupedBy(
      facts.filter(({ isAlike }) => !isAlike),
      ({ title, cells }) => JSON.stringify([title, cells]),
    ).values(),
  ];
  // Facts that place a file come first, then those that a barrier is about.
  const weight = ([fact]: (typeof groups)[number]) =>
    fact === facts[0] ? 4 : Number(fact.path === "") + (fact.isMarked ? 2 : 0);
  const shown = groups.toSorted((one, other) => weight(other) - weight(one)).slice(0, MOST_COLUMNS);
  const isSaid = ({ path, rank }: Fact) => rank > 0 && (path === "" || plan.isJoined(path));
  const alike = facts.filter((one) => one.isAlike && isSaid(one) && one.cells.every(([text]) => text !== ""));
  const said = groupedBy(alike, ({ title, cells: [[text] = [""]] }) => JSON.stringify([title, text])).values();
  const of = ([{ path }, ...more]: readonly [Fact, ...Fact[]]) =>
    path === "" ? "" : ` of ${named([path, ...more.map((one) => one.path)])}`;
  return {
    alike: Array.from(said, (those) => {
      const [
        {
          title,
          cells: [[text] = [""]],
        },
      ] = those;
      return `${title.toLowerCase()}${of(those)}: ${text}`;
    }).slice(0, MOST_COLUMNS),
    columns: shown.map((those) => those[0].title + of(those)),
    left: groups.length - shown.length,
    rows: ordered.map(({ name }, at) => ({ name, cells: shown.map(([{ cells }]) => cells[at] ?? [""]) })),
  };
}

const MOST_NAMED = 4;

function named(names: readonly string[]): string {
  const left = names.length - MOST_NAMED;
  return left < 2 ? listed(names) : listed([...names.slice(0, MOST_NAMED), `${left} more`]);
}
