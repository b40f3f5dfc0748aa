/**
 * Data files that were given together: whether they are one dataset, and opened as that where nothing stands against
 * it.
 */
import { type Asked, stopsCombining } from "#core/check/preflight.ts";
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
import { areDisjoint } from "./plan.ts";
import { AT_ONCE, examineFiles, type Examined } from "./preflight.ts";
import { sourcedFile, type SourcedFile } from "./sourced-file.ts";

interface Read {
  readonly choices: readonly SetChoice[];
  readonly files: readonly SourcedFile[];
  /** Results by what was asked. */
  readonly examined: Map<string, Examined>;
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
  const examined = await keptLast(read.examined, wish, MOST_EXAMINED, () =>
    examineFiles(read.files, asks, NEW_DIMENSION, inThread, context),
  );
  const { files: _, ...answer } = examined.answer;
  if (mark === "?" || answer.findings.some(stopsCombining)) {
    const at = (mark: string) => `${prefix}${ALL_TOGETHER}${mark}\n${id}\n`;
    const having = read.files.flatMap(({ source }) => source.arrays.flatMap((one) => one.dimensions));
    const dimensions = [...new Set([...(areDisjoint(read.files) ? [""] : []), ...having])];
    const table = factTable(examined, read.files);
    const together = { ...answer, choice: at("") + wish, again: at("?"), drop: asks.drop ?? [], dimensions, table };
    return { ...amongFiles(read.choices, prefix), together };
  }
  const text = [...(await combine(examined, inThread, context)).text()].join("");
  const name = answer.how === "merge" ? "together.json" : `along-${answer.along ?? "files"}.json`;
  const document = textDocument(text, name);
  const url = files.urlOf?.(name);
  const base = url === undefined ? ({ kind: "file", path: name } as const) : ({ kind: "url", url } as const);
  return openSet({ ...document, base, files }, undefined, opening);
}

/** A choice may be older than `Asked`: then it is a dimension. */
function askedIn(text: string): Asked {
  const value = attempt(() => parseJson(text).value);
  if (!isJsonObject(value)) return text === "" ? {} : { along: text };
  const [along, drop] = [value.get("along"), value.get("drop")];
  return {
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
  return { choices, files: read, examined: new Map() };
}
