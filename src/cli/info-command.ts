/** `info`: what a set holds, and what is wrong with it. */
import { errorSentence, toErrorFields } from "../core/errors.ts";
import type { NodeSummary, SetChoice, SetSummary } from "../core/open-set.ts";
import type { RepositorySummary } from "../core/repository.ts";
import type { EngineSet } from "../engine/engine-set.ts";
import { loadRest } from "../engine/table/load-pages.ts";
import { summaryOf } from "../engine/describe/summary.ts";
import type { CommandOptions } from "./command-options.ts";
import { openRefs, terminalContext } from "./open-refs.ts";
import { printable } from "./repository-refs.ts";

type Info =
  | ({ readonly kind: "set" } & Omit<SetSummary, "id">)
  | { readonly kind: "choose"; readonly title: string; readonly choices: readonly SetChoice[] }
  | { readonly kind: "error"; readonly error: string };

export async function infoCommand(refs: readonly string[], options: CommandOptions): Promise<number> {
  const infos = new Map<string, Info>();
  for (const one of refs) {
    const info = await infoOf(one, options);
    infos.set(one, info);
    if (!options.json) print(one, info);
  }
  const all = [...infos.values()];
  if (options.json) console.log(JSON.stringify(refs.length === 1 ? all[0] : Object.fromEntries(infos), null, 1));
  if (all.some((info) => info.kind === "error")) return 2;
  const faulty = (info: Info) => info.kind === "set" && info.findings.some(({ severity }) => severity !== "info");
  return all.some(faulty) ? 1 : 0;
}

async function infoOf(refs: string, options: CommandOptions): Promise<Info> {
  try {
    const context = terminalContext();
    const opened = await openRefs(refs, options, context);
    if (opened.kind === "choose") return opened;
    // What is not known is said to be unknown; asking a server for each chunk would take too long.
    if (mayLoad(opened.set)) await loadRest(opened.set, "", context);
    await opened.set.refresh(context);
    const { id: _, ...summary } = summaryOf(opened.set, 0);
    return { kind: "set", ...summary };
  } catch (error) {
    return { kind: "error", error: errorSentence(toErrorFields(error, `Opening ${refs}`)) };
  }
}

const MAX_PAGES = 10_000;

function mayLoad({ index }: EngineSet): boolean {
  const pages = [...index.paged.values()];
  return pages.reduce((sum, { pages: { count } }) => sum + count, 0) <= MAX_PAGES;
}

function print(name: string, info: Info): void {
  console.log(name);
  if (info.kind === "error") console.log(`  ${info.error}`);
  else if (info.kind === "choose") printChoices(info);
  else printSet(info);
}

function printChoices({ title, choices }: Extract<Info, { kind: "choose" }>): void {
  console.log(`  ${title}. Choose one with --choice:`);
  for (const { id, label, detail } of choices) console.log(`    ${id}  ${label}  ${detail}`);
}

const count = (value: number) => value.toLocaleString("en");

function printSet(set: Extract<Info, { kind: "set" }>): void {
  const { format, references, arrays, groups, targets, states, bytesReferenced } = set;
  console.log(`  ${format}: ${count(references)} references, ${arrays} arrays, ${groups} groups`);
  if (set.repository !== undefined) console.log(`  shown: ${shownWords(set.repository)}`);
  const counted = Object.entries(states).filter(([, number]) => number > 0);
  console.log(`  chunks: ${counted.map(([state, number]) => `${count(number)} ${state}`).join(", ") || "none"}`);
  console.log(`  ${count(bytesReferenced)} bytes referenced in ${count(targets)} targets`);
  for (const node of set.nodes) printNode(node);
  for (const { severity, code, array, key, message, count: times } of set.findings) {
    const often = times === undefined || times === 1 ? "" : ` (${count(times)} times)`;
    console.log(`  ${severity} ${code}${often} ${key ?? array ?? ""}: ${message}`);
  }
}

function shownWords({ shown }: RepositorySummary): string {
  const snapshot = `snapshot ${shown.snapshot}`;
  return shown.kind === "snapshot" ? snapshot : `${shown.kind} ${printable(shown.name)}, ${snapshot}`;
}

function printNode({ kind, path, dtype, shape, cells, present, reason }: NodeSummary): void {
  const name = path === "" ? "/" : path;
  if (kind === "array")
    console.log(`  ${name}  ${dtype}  [${shape?.join(", ")}]  ${count(present ?? 0)} of ${count(cells ?? 0)} chunks`);
  if (kind === "broken") console.log(`  ${name}  broken: ${reason}`);
}
