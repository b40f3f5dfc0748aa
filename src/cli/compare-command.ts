/** `compare`: what differs between two snapshots of a repository, or between any two sets. */
import { comparisonReason } from "../core/words/comparison-words.ts";
import { explained } from "./print/explained.ts";
import { worstFirst } from "../core/findings/explained.ts";
import type { ArrayChanges, NodeChange, SnapshotChanges } from "../core/repository.ts";
import { count, cut } from "../core/words.ts";
import { withoutSecrets } from "../core/words/without-secrets.ts";
import {
  type ArrayValues,
  type ComparedValue,
  type Pair,
  PLACES,
  type SetDifferences,
} from "../core/set-differences.ts";
import {
  amount,
  BESIDE_WORDS,
  differingChunks,
  PLACE_WORDS,
  UNCOMPARED_WORDS,
  valuesAnswer,
} from "../core/words/set-differences-words.ts";
import { compareSets, sharedArrays } from "../engine/compare/compare-sets.ts";
import { compareValues } from "../engine/compare/compare-values.ts";
import { nodePool } from "./decode-threads.ts";
import { repositoryOf, type SetRepository } from "../engine/engine-set.ts";
import type { CommandOptions } from "./options.ts";
import { areNotes, findingLine } from "./print/finding-lines.ts";
import { openSet, terminalContext } from "./open-refs.ts";
import { printableJson, worded } from "./print/finding-json.ts";
import { printable } from "./print/lines.ts";
import { Output } from "./print/output.ts";

/** 0 whether or not they differ, 1 where something could not be compared, or `--fail-on differ` and they do. */
export async function compareCommand(refs: readonly string[], options: CommandOptions): Promise<number> {
  const { values, atol, rtol, failOn } = options;
  if (values === undefined && (atol ?? rtol) !== undefined) throw new Error("--atol and --rtol need --values.");
  if (failOn !== undefined && (failOn !== "differ" || refs.length === 3))
    throw new Error("compare A B takes --fail-on differ alone.");
  return refs.length === 3 ? compareSnapshots(refs, options) : compareTwo(refs, options);
}

async function compareTwo([a = "", b = ""]: readonly string[], options: CommandOptions): Promise<number> {
  const context = terminalContext();
  const sets = { a: await openSet(a, options, context), b: await openSet(b, options, context) };
  const differences = await compareSets(sets, context);
  const values: ArrayValues[] = [];
  if (options.values !== undefined) {
    const decoder = nodePool(options.threads);
    const given = { absolute: options.atol, relative: options.rtol };
    for (const nodes of sharedArrays(sets))
      values.push(await compareValues({ sets, nodes, ...options.values, given, decoder }, context));
    decoder.close();
  }
  if (options.json === true) console.log(printableJson({ a, b, ...differences, values }));
  else for (const line of differenceLines(differences, values)) console.log(printable(line));
  // Values of other chunks are compared where references cannot be.
  const isPart = (values.length > 0 ? values : differences.arrays).some((one) => one.uncompared !== undefined);
  const isUnknown =
    [...differences.arrays, differences.keys].some(({ kinds }) => kinds.unknown > 0) ||
    values.some(({ failed }) => failed > 0);
  const isFailed = options.failOn === "differ" && differ(differences, values);
  return isPart || isUnknown || isFailed ? 1 : 0;
}

/** Places of references tell nothing of values that were compared, nor do metadata that do not change them. */
function differ({ nodes, metadata, arrays, keys }: SetDifferences, values: readonly ArrayValues[]): boolean {
  const { elsewhere, ...changed } = keys.kinds;
  const isOther = nodes.length > 0 || changed.content + changed.form + changed.onlyA + changed.onlyB > 0;
  if (values.length > 0)
    return isOther || values.some(({ verdict, beside }) => verdict === "differ" || beside.includes("extent"));
  return isOther || elsewhere > 0 || metadata.length > 0 || arrays.some((array) => differingChunks(array) > 0);
}

function differenceLines({ nodes, metadata, arrays, keys }: SetDifferences, values: readonly ArrayValues[]) {
  const lines = [
    ...nodes.map(({ path, node, in: side }) => `only in ${side.toUpperCase()} ${node} ${named(path)}`),
    ...metadata.flatMap(({ path, changes }) =>
      changes.map(({ path: member, before = "nothing", after = "nothing" }) =>
        cut(`metadata ${named(path)} ${member}: ${before} → ${after}`, 400),
      ),
    ),
    ...arrays.flatMap(placesLines),
    ...keysLines(keys),
  ];
  return [
    ...(lines.length === 0 ? ["nodes, metadata and references are the same"] : lines),
    ...values.flatMap(valuesLines),
  ];
}

function placesLines({ path, kinds, first, uncompared }: SetDifferences["arrays"][number]): readonly string[] {
  if (uncompared !== undefined) return [`chunks   ${named(path)}: ${UNCOMPARED_WORDS[uncompared]}`];
  if (first === undefined) return [];
  return [
    `chunks   ${named(path)}: ${countsOf(kinds)}; the first, [${first.coordinates.join(", ")}]: ${changeOf(first)}`,
  ];
}

const keysLines = ({ kinds, first }: SetDifferences["keys"]): readonly string[] =>
  first === undefined
    ? []
    : [`keys     outside the grids: ${countsOf(kinds)}; the first, ${first.key}: ${changeOf(first)}`];

const countsOf = (kinds: SetDifferences["keys"]["kinds"]): string =>
  PLACES.flatMap((kind) => (kinds[kind] === 0 ? [] : [`${count(kinds[kind])} ${PLACE_WORDS[kind]}`])).join(", ");

const changeOf = ({ a, b }: Pair<string>): string => [a, b].map((text) => cut(text === "" ? "none" : text)).join(" → ");

function valuesLines(of: ArrayValues): readonly string[] {
  const { path, first, failure, failedIn, beside, units, elements } = of;
  const { largest, mean } = elements ?? {};
  const value = (one: ComparedValue) => (typeof one === "number" ? amount(one, units, false, 7) : (one ?? "missing"));
  const chunk = (side: "a" | "b") =>
    first === undefined ? "" : `${first.chunks[side].key}: ${cut(first.chunks[side].reference || "missing")}`;
  return [
    `values   ${named(path)}: ${valuesAnswer(of)}`,
    ...(largest === undefined || of.verdict !== "differ"
      ? []
      : [
          `         there A ${value(largest.values.a)}, B ${value(largest.values.b)}; mean of A − B ${amount(mean ?? 0, units, true)}`,
        ]),
    ...(first === undefined
      ? []
      : [
          `         first at [${first.element.join(", ")}]: ${first.values.a} (${chunk("a")}) → ${first.values.b} (${chunk("b")})`,
        ]),
    ...(beside.length === 0
      ? []
      : [`         beside the values: ${beside.map((one) => BESIDE_WORDS[one]).join(", ")}`]),
    ...(failure === undefined ? [] : [`         ${failedIn?.toUpperCase()}: ${findingLine(failure)}`]),
  ];
}

async function compareSnapshots(refs: readonly string[], options: CommandOptions): Promise<number> {
  const [address = "", first, second] = refs;
  const context = terminalContext();
  // Each is looked up as an address with it would be.
  const before = repositoryOf(await openSet(address, { ...options, ref: first }, context));
  const after = repositoryOf(await openSet(address, { ...options, ref: second }, context));
  const [from, to] = [before.summary.shown.snapshot, after.summary.shown.snapshot];
  const changes = await after.compare({ from, to, method: options.by ?? "auto" }, context);
  const output = new Output(process.stdout);
  if (options.json) await writeJson(changes, after, output);
  else await writeLines(changes, after, output);
  await output.end();
  return areNotes(changes.findings) ? 0 : 1;
}

const WINDOW = 2000;

/** Windows of an array's changed chunks. */
function* windowsOf(repository: SetRepository, path: string) {
  for (let from = 0; ; from += WINDOW) {
    const { chunks, total } = repository.changedChunks(path, from, from + WINDOW);
    yield chunks;
    if (from + WINDOW >= total) return;
  }
}

/** Ten million chunks do not fit into a string: they are written as they are listed. */
async function writeJson({ arrays, ...changes }: SnapshotChanges, repository: SetRepository, output: Output) {
  const rest = { ...changes, because: comparisonReason(changes.because) };
  await output.write(`${withoutSecrets(JSON.stringify(rest, worded)).slice(0, -1)},"arrays":[`);
  for (const [index, array] of arrays.entries()) {
    await output.write(`${index === 0 ? "" : ","}\n${withoutSecrets(JSON.stringify(array)).slice(0, -1)},"chunks":[`);
    let comma = "";
    for (const chunks of windowsOf(repository, array.path)) {
      await output.write(comma + JSON.stringify(chunks).slice(1, -1));
      comma = ",";
    }
    await output.write("]}");
  }
  await output.write("]}\n");
}

async function writeLines(changes: SnapshotChanges, repository: SetRepository, output: Output): Promise<void> {
  const { from, to, because, nodes, arrays, findings } = changes;
  const lines = [
    `${from} → ${to}`,
    comparisonReason(because),
    ...nodes.map(nodeLine),
    ...arrays.map((array) => arrayLine(array, repository)),
    ...(nodes.length + arrays.length === 0 ? ["nothing differs"] : []),
    ...worstFirst(findings, explained).map(findingLine),
  ];
  for (const line of lines) await output.write(`${printable(line)}\n`);
}

const named = (path: string): string => (path === "" ? "/" : path);

function nodeLine({ kind, node, path, before = "" }: NodeChange): string {
  if (kind === "moved") return `moved    ${node} ${named(before)} → ${named(path)}`;
  return `${kind.padEnd(8)} ${node} ${named(path)}${kind === "updated" ? ": metadata" : ""}`;
}

const SHOWN = 10;

function arrayLine({ path, before, count, kinds }: ArrayChanges, repository: SetRepository): string {
  const { chunks } = repository.changedChunks(path, 0, SHOWN);
  const listed = chunks.map(({ coordinates }) => `[${coordinates.join(", ")}]`).join(" ");
  const counts = Object.entries(kinds).flatMap(([kind, number]) => (number === 0 ? [] : [`${number} ${kind}`]));
  const more = count > chunks.length ? ` … and ${count - chunks.length} more` : "";
  return `chunks   ${named(path)}${before === undefined ? "" : ` (was ${named(before)})`}: ${counts.join(", ")}: ${listed}${more}`;
}
