/** `preflight`: whether data files are one dataset. `combine`: references to all of them as one. */
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { count, counted, listed } from "../../core/words.ts";
import { isLoss, type Preflight, stopsCombining } from "../../core/check/preflight.ts";
import { inThread } from "../../engine/chunk/chunk-decoder.ts";
import { eachAtOnce } from "../../engine/kept.ts";
import { dataFile } from "../../engine/open/data-file/driver.ts";
import { listedFiles } from "../../engine/open/listed-files.ts";
import { combine } from "../../engine/preflight/combine.ts";
import { AT_ONCE, examine, type Examined } from "../../engine/preflight/preflight.ts";
import type { GivenFile } from "../../engine/preflight/sourced-file.ts";
import { columns, fitted } from "../columns.ts";
import { filesOfDirectory } from "../directory.ts";
import { paint, printable, printableJson } from "../lines.ts";
import { isUrl, networkOf, openSet, terminalContext } from "../open-refs.ts";
import { type CommandOptions, locationsOf } from "../options.ts";
import { Output } from "../output.ts";
import { writeOut } from "../write-out.ts";

export async function preflightCommand(refs: readonly string[], options: CommandOptions): Promise<number> {
  const { answer } = await examined(refs, options);
  console.log(options.json ? printableJson(answer) : answerLines(answer).join("\n"));
  return answer.barriers.some(stopsCombining) ? 1 : leftOut(answer);
}

/** 1 where a variable has no references, or such as Python does not read: stderr names it, whatever stdout has. */
function leftOut({ barriers }: Preflight): number {
  const those = barriers.filter(isLoss);
  for (const { barrier, message } of those) console.error(printable(`warning ${barrier}: ${message}`));
  return those.length > 0 ? 1 : 0;
}

export async function combineCommand(refs: readonly string[], options: CommandOptions): Promise<number> {
  const found = await examined(refs, options);
  const { answer } = found;
  if (answer.barriers.some(stopsCombining)) {
    if (options.json) console.log(printableJson(answer));
    else console.error(answerLines(answer).join("\n"));
    return 1;
  }
  const combined = await combine(found, inThread, terminalContext());
  const { out } = options;
  const status = leftOut(answer);
  if (out === undefined) {
    const output = new Output(process.stdout);
    for (const piece of combined.text()) await output.write(piece);
    await output.end();
    return status;
  }
  await writeOut(out, combined.text(), options);
  const done = [...combined.notes, `Written: ${out}`].map(printable);
  console.log(options.json ? printableJson({ written: out, ...answer }) : [...answerLines(answer), ...done].join("\n"));
  return status;
}

/** References name files below the document's folder from there, others by their full path. */
async function examined(refs: readonly string[], options: CommandOptions): Promise<Examined> {
  const folder = options.out === undefined ? process.cwd() : dirname(resolve(options.out));
  const paths = (await Promise.all(refs.map((given) => pathsOf(given, options)))).flat();
  if (paths.length === 0) throw new Error(`No data file is in ${refs.join(", ")}.`);
  const given: GivenFile[] = [];
  const context = terminalContext();
  await eachAtOnce([...paths.entries()], AT_ONCE, async ([at, path]) => {
    const below = relative(folder, resolve(path)).split(sep).join("/");
    const name = isUrl(path) ? path : below.startsWith("../") ? resolve(path) : below;
    given[at] = { name, set: await openSet(path, options, context) };
  });
  return examine(given, options.along, inThread, context);
}

/** Of a folder, or of a pattern in an address, the data files. */
async function pathsOf(given: string, options: CommandOptions): Promise<readonly string[]> {
  if (isUrl(given)) {
    const [locations, network, context] = [locationsOf(options), networkOf(given, options), terminalContext()];
    const files = await listedFiles(given, { locations, network, context });
    return files?.list.map((name) => files.urlOf?.(name) ?? name) ?? [given];
  }
  const inside = await filesOfDirectory(given);
  if (inside === undefined) return [given];
  return inside.list.filter((path) => dataFile.document?.names.test(path)).map((path) => join(given, path));
}

const SIGNS = { error: "✕", warning: "▲", info: "i" } as const;
const MOST_LISTED = 12;

function answerLines({ verdict, how, along = "", files, barriers, notCompared }: Preflight): readonly string[] {
  const joined =
    how === "merge"
      ? files.length === 1
        ? "alone"
        : "side by side"
      : `along ${how === "stack" ? "the new dimension " : ""}${along}`;
  const title = { yes: paint("good", "yes"), no: paint("error", "no"), if: paint("warning", "yes, if") }[verdict];
  const placed = files.flatMap(({ name, variables }) => {
    const values = variables.find(({ path }) => path === along)?.values;
    return values === undefined
      ? []
      : [printable(`  ${basename(name)}: ${[...new Set([values.first, values.last])].join(" to ")}`)];
  });
  const wrapped = (text: string) => fitted(printable(text), columns(), "  ");
  return [
    `${paint("heading", printable(`${counted(files.length, "file")} ${joined}`))}: one dataset: ${title}`,
    ...placed.slice(0, MOST_LISTED),
    ...(placed.length > MOST_LISTED ? [`  … and ${count(placed.length - MOST_LISTED)} more`] : []),
    ...barriers.flatMap(({ barrier, severity, message, advice }) => [
      ...wrapped(`${SIGNS[severity]} ${barrier}: ${message}`),
      ...wrapped(`  ${advice}`),
    ]),
    ...(notCompared.length === 0 ? [] : wrapped(`Too large to be compared: ${listed(notCompared)}.`)),
  ];
}
