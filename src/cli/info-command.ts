/** `info`: what a set holds, and what is wrong with it. */
import { count, counted } from "../core/words.ts";
import { type WrittenEdges, writtenEdges } from "../core/metadata/chunk-grid.ts";
import { explained } from "./print/explained.ts";
import { explainedText } from "../core/findings/explained.ts";
import { findingOfError } from "../core/findings/finding.ts";
import type { NodeSummary, SetChoice, SetSummary } from "../core/open-set.ts";
import { recognitionWords } from "../core/words/recognition-words.ts";
import type { RepositorySummary } from "../core/repository.ts";
import type { EngineSet } from "../engine/engine-set.ts";
import { loadRest } from "../engine/table/load-pages.ts";
import { summaryOf } from "../engine/describe/summary.ts";
import type { CommandOptions } from "./options.ts";
import { findingLines, printUnopened } from "./print/finding-lines.ts";
import { jsonByName } from "./print/finding-json.ts";
import { aligned, paint, printable } from "./print/lines.ts";
import { openRefs, terminalContext } from "./open-refs.ts";

type Info =
  | ({ readonly kind: "set" } & Omit<
      SetSummary,
      "id" | "words" | "revision" | "tableBytes" | "recognised" | "nodes"
    > & {
        readonly recognised: string;
        readonly nodes: readonly InfoNode[];
        /** The first of the targets. */
        readonly firstTargets: readonly string[];
      })
  | { readonly kind: "choose"; readonly title: string; readonly choices: readonly SetChoice[] }
  | { readonly kind: "error"; readonly error: string };

/** Lengths of unequal chunks and shards as a rectilinear grid's metadata write them. */
type InfoNode = Omit<NodeSummary, "chunks" | "shardShape"> & {
  readonly chunks?: readonly WrittenEdges[];
  readonly shardShape?: readonly WrittenEdges[];
  /** Codecs of an array, in the order of encoding. */
  readonly codecs?: readonly string[];
};

function infoNode(node: NodeSummary, { hierarchy }: EngineSet): InfoNode {
  const { chunks, shardShape, ...rest } = node;
  const array = hierarchy.nodes.get(node.path);
  const codecs = array?.kind === "array" ? array.metadata.decoding.map(({ id }) => id).toReversed() : undefined;
  // The members stay in their order.
  return Object.assign({ ...node }, rest, {
    ...(chunks && { chunks: chunks.map(writtenEdges) }),
    ...(shardShape && { shardShape: shardShape.map(writtenEdges) }),
    ...(codecs && { codecs }),
  });
}

export async function infoCommand(refs: readonly string[], options: CommandOptions): Promise<number> {
  const infos = new Map<string, Info>();
  for (const one of refs) {
    const info = await infoOf(one, options);
    infos.set(one, info);
    if (!options.json) print(one, info);
  }
  const all = [...infos.values()];
  if (options.json) console.log(jsonByName(infos));
  if (all.some((info) => info.kind === "error")) return 2;
  // True if there are errors; as in check, a warning alone is no failure.
  const faulty = (info: Info) =>
    info.kind === "set" && info.findings.some((one) => explained(one).severity === "error");
  return all.some(faulty) ? 1 : 0;
}

async function infoOf(refs: string, options: CommandOptions): Promise<Info> {
  try {
    const context = terminalContext();
    const opened = await openRefs(refs, options, context);
    if (opened.kind === "choose") return opened;
    // Unknown parts are reported as unknown; asking a server for each chunk would take too long.
    if (mayLoad(opened.set)) await loadRest(opened.set, "", context);
    await opened.set.refresh(context);
    const { id: _, words: _words, revision: _revision, tableBytes: _tableBytes, ...summary } = summaryOf(opened.set, 0);
    const nodes = summary.nodes.map((node) => infoNode(node, opened.set));
    const { targets } = opened.set.table;
    const firstTargets = Array.from({ length: Math.min(MAX_TARGETS, targets.count) }, (_, id) => targets.text(id));
    return { kind: "set", ...summary, nodes, firstTargets, recognised: recognitionWords(summary.recognised) };
  } catch (error) {
    return { kind: "error", error: explainedText(findingOfError(error, `Opening ${refs}`), explained) };
  }
}

const MAX_PAGES = 10_000;
/** Targets that are named. */
const MAX_TARGETS = 3;

function mayLoad({ index }: EngineSet): boolean {
  const pages = [...index.paged.values()];
  return pages.reduce((sum, { pages: { count } }) => sum + count, 0) <= MAX_PAGES;
}

function print(name: string, info: Info): void {
  if (info.kind === "error") return printUnopened(name, info.error);
  console.log(paint("heading", printable(name)));
  for (const line of info.kind === "choose" ? choiceLines(info) : setLines(info)) console.log(`  ${line}`);
}

const choiceLines = ({ title, choices }: Extract<Info, { kind: "choose" }>): readonly string[] => [
  printable(`${title}. Choose one with --choice:`),
  ...aligned(choices.map(({ id, label, detail }) => ["", id, label, detail])),
];

function setLines(set: Extract<Info, { kind: "set" }>): readonly string[] {
  const { format, references, arrays, groups, targets, states, bytesReferenced, nodes, findings } = set;
  const counts = [counted(references, "reference"), counted(arrays, "array"), counted(groups, "group")];
  const chunks = Object.entries(states).filter(([, number]) => number > 0);
  const words = chunks.map(([state, number]) => `${count(number)} ${state}`).join(", ");
  return [
    printable(`${format}: ${counts.join(", ")}`),
    ...(set.repository === undefined ? [] : [printable(`shown: ${shownWords(set.repository)}`)]),
    `chunks: ${words || "none"}`,
    `${counted(bytesReferenced, "byte")} referenced in ${counted(targets, "target")}${targetWords(set)}`,
    ...arrayLines(nodes),
    ...nodes.filter(({ kind }) => kind === "broken").map(brokenLine),
    ...findingLines(findings),
  ];
}

function targetWords({ targets, firstTargets }: Extract<Info, { kind: "set" }>): string {
  const rest = targets - firstTargets.length;
  const named = firstTargets.map((one) => printable(one)).join(", ");
  return named === "" ? "" : `: ${named}${rest > 0 ? ` and ${count(rest)} more` : ""}`;
}

function shownWords({ shown }: RepositorySummary): string {
  const snapshot = `snapshot ${shown.snapshot}`;
  return shown.kind === "snapshot" ? snapshot : `${shown.kind} ${shown.name}, ${snapshot}`;
}

const shownPath = (path: string): string => (path === "" ? "/" : path);

function arrayLines(nodes: readonly InfoNode[]): readonly string[] {
  const arrays = nodes.filter(({ kind }) => kind === "array");
  const sum = (key: "present" | "cells") => arrays.reduce((total, node) => total + (node[key] ?? 0), 0);
  const all = { present: sum("present"), cells: sum("cells") };
  const number = (value: number, widest: number) => count(value).padStart(count(widest).length);
  const chunks = ({ present = 0, cells = 0 }: Pick<NodeSummary, "present" | "cells">) =>
    `${number(present, all.present)} of ${number(cells, all.cells)} chunk${cells === 1 ? "" : "s"}`;
  const rows = arrays.map((node) => {
    const { path, dtype = "", shape = [], dimensionNames = [], codecs = [] } = node;
    const names = dimensionNames.some((name) => name !== undefined)
      ? `(${dimensionNames.map((name) => name ?? "?").join(", ")})`
      : "";
    return [shownPath(path), dtype, `[${shape.join(", ")}]`, chunks(node), names, codecs.join(", ")];
  });
  return aligned(arrays.length < 2 ? rows : [...rows, ["together", "", "", chunks(all), "", ""]]);
}

const brokenLine = ({ path, reason }: InfoNode): string =>
  `${paint("error", "broken")} ${printable(`${shownPath(path)}: ${reason === undefined ? "" : explained(reason).message}`)}`;
