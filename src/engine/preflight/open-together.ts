/**
 * Data files that were given together: whether they are one dataset, and opened as that where nothing stands against
 * it.
 */
import type { CallContext } from "#core/byte-source.ts";
import { type Asked, stopsCombining, type Together } from "#core/check/preflight.ts";
import { isJsonObject } from "#core/json/json.ts";
import { parseJson } from "#core/json/parse-json.ts";
import { attempt } from "#core/basics.ts";
import { ALL_TOGETHER, type SetChoice } from "#core/open-set.ts";
import type { LocalFiles } from "#io/local-files.ts";
import { eachAtOnce, keptLast, oncePer } from "../kept.ts";
import { inThread } from "../chunk/chunk-decoder.ts";
import { amongFiles, candidatesIn } from "../open/candidates.ts";
import { openDataFile } from "../open/data-file/open-data-file.ts";
import type { OpenedAny, Opening } from "../open/driver.ts";
import { openSet } from "../open/kerchunk-json/open-document.ts";
import { documentIn, type Network, sized, splitChoice, textDocument } from "../chunk/sources.ts";
import { combine } from "./combine.ts";
import { factTable } from "./fact-table.ts";
import { type Fitting, fitting, kindsOf, namesOfKinds } from "./fitting.ts";
import type { Group } from "./groups.ts";
import { areDisjoint, isBelow, planOf } from "./plan.ts";
import { AT_ONCE, examineFiles, type Examined } from "./preflight.ts";
import { sourcedFile, type SourcedFile } from "./sourced-file.ts";

interface Read {
  readonly choices: readonly SetChoice[];
  readonly files: readonly SourcedFile[];
  /** Files by kind. */
  readonly kinds: readonly Group<SourcedFile>[];
  /** Results by what was asked. */
  readonly looked: Map<string, Looked>;
}

interface Looked {
  readonly examined: Examined;
  readonly files: readonly SourcedFile[];
  /** Absent where nothing stops all of them, or hardly any fit. */
  readonly fit?: Fitting | undefined;
}

/** Files read last, by a unique number: neither another dimension nor opening reads them again. */
const lastRead = oncePer((_network: Network) => new Map<string, Read>());

const MOST_EXAMINED = 8;
/** Name of a new dimension, if files have none along which they differ. */
const NEW_DIMENSION = "file";

/**
 * The choice: `ALL_TOGETHER`, a question mark where they are only examined, the number of what was read, an `Asked` as
 * JSON.
 */
export async function openTogether(files: LocalFiles, opening: Opening): Promise<OpenedAny> {
  const { context, network } = opening;
  const { choice = ALL_TOGETHER } = opening.options;
  const prefix = choice.slice(0, choice.indexOf(ALL_TOGETHER));
  const [mark, asked = "", ...rest] = choice.slice(prefix.length + ALL_TOGETHER.length).split("\n");
  const wish = rest.join("\n");
  const asks = askedIn(wish);
  const kept = lastRead(network);
  const id = kept.has(asked) ? asked : String(Math.random());
  const read = await keptLast(kept, id, 1, () => readTogether(files, opening));
  const {
    examined,
    files: those,
    fit,
  } = await keptLast(read.looked, wish, MOST_EXAMINED, () => look(read, asks, context));
  const { files: _, ...answer } = examined.answer;
  if (mark === "?" || answer.findings.some(stopsCombining)) {
    const at = (mark: string) => `${prefix}${ALL_TOGETHER}${mark}\n${id}\n`;
    const having = those.flatMap(({ source }) => source.arrays.flatMap((one) => one.dimensions));
    const dimensions = [...new Set([...(areDisjoint(those) ? [""] : []), ...having])];
    const [table, names] = [factTable(examined, those), namesOfKinds(read.kinds)];
    const together: Together = {
      ...answer,
      choice: at("") + wish,
      again: at("?"),
      asked: asks,
      count: those.length,
      groups: names.length < 2 ? [] : names.map((name, at) => ({ name, count: read.kinds[at]?.files.length ?? 0 })),
      ...(fit && {
        fit: {
          choice: at("") + JSON.stringify({ ...asks, fit: true } satisfies Asked),
          count: fit.files.length,
          left: Array.from(fit.left, ([barrier, files]) => ({ barrier, files })),
        },
      }),
      dimensions,
      table,
    };
    return { ...amongFiles(read.choices, prefix), together };
  }
  const text = [...(await combine(examined, inThread, context)).text()].join("");
  const name = answer.how === "merge" ? "together.json" : `along-${answer.along ?? "files"}.json`;
  const document = textDocument(text, name);
  const url = files.urlOf?.(name);
  const base = url === undefined ? ({ kind: "file", path: name } as const) : ({ kind: "url", url } as const);
  return openSet({ ...document, base, files }, undefined, opening);
}

async function look({ files: all, kinds }: Read, asks: Asked, context: CallContext): Promise<Looked> {
  const files = asks.group === undefined ? all : (kinds[asks.group]?.files ?? all);
  const examine = (those: readonly SourcedFile[]) => {
    // A variable may be in files alone that are left out.
    const drop = (asks.drop ?? []).filter((name) =>
      those.some(({ arrays }) => [...arrays.keys()].some((path) => isBelow(path, [name]))),
    );
    return examineFiles(those, { ...asks, drop }, NEW_DIMENSION, inThread, context);
  };
  const examined = await examine(files);
  const fit = examined.answer.findings.some(stopsCombining) ? await fitting(files, examined, examine) : undefined;
  if (asks.fit === true && fit !== undefined) return fit;
  return { examined, files, fit };
}

/** A choice may be older than `Asked`: then it is a dimension. */
function askedIn(text: string): Asked {
  const value = attempt(() => parseJson(text).value);
  if (!isJsonObject(value)) return text === "" ? {} : { along: text };
  const [along, drop, group] = [value.get("along"), value.get("drop"), value.get("group")];
  return {
    ...(typeof group === "number" ? { group } : {}),
    ...(value.get("fit") === true ? { fit: true } : {}),
    ...(typeof along === "string" ? { along } : {}),
    ...(Array.isArray(drop) ? { drop: drop.map(String) } : {}),
  };
}

async function readTogether(files: LocalFiles, opening: Opening): Promise<Read> {
  const { context } = opening;
  const choices = await candidatesIn(files, context);
  const paths = choices.flatMap(({ id }) => (id === ALL_TOGETHER ? [] : [splitChoice(id)[0]]));
  const read: SourcedFile[] = [];
  // Progress counts the files, not the reads of each.
  const quiet = { ...context, report: () => undefined };
  let done = 0;
  await eachAtOnce(paths.entries(), AT_ONCE, async ([at, path]) => {
    const source = documentIn(files, path);
    const set = await openDataFile(
      { ...source, document: await sized(source, opening) },
      { ...opening, context: quiet },
    );
    read[at] = await sourcedFile({ name: source.url ?? path, set }, inThread, quiet);
    done += 1;
    context.report({ label: "Reading metadata", done, total: paths.length, unit: "files" });
  });
  return { choices, files: read, kinds: kindsOf(read, planOf(read, undefined, NEW_DIMENSION)), looked: new Map() };
}
