/** `check --fix` and `--diff`: the document with the fixes that are safe, and which were left. */
import { readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { placeText, unlessFinding } from "#core/findings/finding.ts";
import type { SaidFinding } from "#core/findings/explained.ts";
import { repairLine, REFUSED_WORDS } from "#core/repair.ts";
import type { RepairOffer } from "#core/repair-offer.ts";
import type { TableEdit } from "#core/studio.ts";
import { counted } from "#core/words.ts";
import { applyTextEdits, textEdits } from "#engine/edit/text-edits.ts";
import { type EngineSet, isDocument } from "#engine/engine-set.ts";
import type { SearchedCause } from "#engine/repair/search/fixes-of-causes.ts";
import { printable } from "../print/lines.ts";
import { isUrl } from "../open-refs.ts";
import type { CommandOptions } from "../options.ts";
import { writeOut } from "../write-out.ts";
import { unifiedDiff } from "./unified-diff.ts";

export interface FixedDocument {
  readonly before: string;
  readonly after: string;
  /** Lines on the fixes that were made, and on those that were not, with the reason. */
  readonly done: readonly string[];
  readonly left: readonly string[];
}

/** It cannot be fixed at all, or not as it was asked for. */
export class NoFixing extends Error {}

/** Throws `NoFixing` where the set is no document that is kept as text. */
export function fixedDocument(
  set: EngineSet,
  causes: readonly SaidFinding[],
  searched: ReadonlyMap<SaidFinding, SearchedCause>,
): FixedDocument {
  const before = isDocument(set) ? set.documentText : undefined;
  if (!isDocument(set))
    throw new NoFixing(`--fix and --diff edit Kerchunk JSON documents only; this is ${set.format.label}.`);
  if (before === undefined)
    throw new NoFixing("The document is too large to be edited as text. Make the changes with the tool that wrote it.");
  const done: string[] = [];
  const left: string[] = [];
  const edits: TableEdit[] = [];
  const changed = new Set<string>();
  for (const cause of causes.filter(({ said }) => said.severity !== "info")) {
    const { offers = [], tried } = searched.get(cause) ?? {};
    const name = `${cause.said.title} (${placeText(cause.found.place)})`;
    if (offers.length === 0) left.push(`${name}: ${tried ?? "there is no fix to try."}`);
    for (const offer of offers) {
      const why = whyLeft(offer, changed);
      if (why !== undefined) left.push(`${repairLine(offer)}: ${why}`);
      else {
        for (const key of keysOf(offer)) changed.add(key);
        edits.push(...offer.edits);
        done.push(`${repairLine(offer)}.`);
      }
    }
  }
  return { before, after: edited(before, edits), done, left };
}

function whyLeft(offer: RepairOffer, changed: ReadonlySet<string>): string | undefined {
  const { certainty, refused, edits } = offer;
  if (refused !== undefined) return REFUSED_WORDS[refused];
  if (certainty === "likely") return "it fits, but is not proven.";
  if (certainty === "needs-you") return "several fixes fit.";
  if (edits.length === 0) return "it is no change of the document.";
  return keysOf(offer).some((key) => changed.has(key)) ? "another fix changes the same reference." : undefined;
}

function keysOf({ edits }: RepairOffer): readonly string[] {
  return edits.flatMap((edit) => {
    if (edit.kind === "set-reference" || edit.kind === "remove-reference") return [edit.key];
    if (edit.kind === "set-references") return edit.values.map(([key]) => key);
    return edit.kind === "remove-references" ? edit.keys : [];
  });
}

/** Single references at once: each look at the text takes time. */
function edited(text: string, edits: readonly TableEdit[]): string {
  const set = edits.flatMap((edit) => (edit.kind === "set-reference" ? [[edit.key, edit.value] as const] : []));
  const removed = edits.flatMap((edit) => (edit.kind === "remove-reference" ? [edit.key] : []));
  const others = edits.filter(({ kind }) => kind !== "set-reference" && kind !== "remove-reference");
  const all: readonly TableEdit[] = [
    ...(set.length > 0 ? [{ kind: "set-references", values: set } as const] : []),
    ...others,
    ...(removed.length > 0 ? [{ kind: "remove-references", keys: removed } as const] : []),
  ];
  return unlessFinding(
    () => all.reduce((known, edit) => applyTextEdits(known, textEdits(known, edit)), text),
    () => {
      throw new NoFixing("The document is no valid JSON, so that it cannot be edited safely. Correct it first.");
    },
  );
}

/** Throws `NoFixing`: before anything is read. */
export function refuseFixOptions(refs: readonly string[], options: CommandOptions): void {
  const { fix = false, diff = false, out, inPlace = false } = options;
  if (!fix && (out !== undefined || inPlace)) throw new NoFixing("--out and --in-place need --fix.");
  if (!fix && !diff) return;
  const [one = ""] = refs;
  if (refs.length !== 1) throw new NoFixing("--fix and --diff take one dataset.");
  if (fix && !diff && out === undefined && !inPlace)
    throw new NoFixing("--fix needs --out FILE, or --in-place; --diff prints the changes instead.");
  if (out !== undefined && inPlace) throw new NoFixing("--out and --in-place exclude each other.");
  if (inPlace && isUrl(one)) throw new NoFixing("--in-place needs a file; use --out FILE.");
  if (inPlace && /\.zstd?$/i.test(one)) throw new NoFixing("--in-place writes plain JSON or .gz; use --out FILE.");
}

/** Writes it, or prints the difference; says on stderr what was done. */
export async function handOver(refs: string, fixed: FixedDocument, options: CommandOptions): Promise<void> {
  const { before, after, done, left } = fixed;
  const { diff = false, out, inPlace = false } = options;
  const path = out ?? (inPlace ? refs : undefined);
  if (diff) {
    const text = unifiedDiff(refs, before, after);
    if (text !== "") process.stdout.write(process.stdout.isTTY ? text.split("\n").map(printable).join("\n") : text);
  }
  const isWritten = options.fix === true && path !== undefined && !(inPlace && done.length === 0);
  if (isWritten) {
    const isCompressed = out === undefined ? await isGzip(refs) : /\.gz(?:ip)?$/i.test(out);
    await writeOut(path, isCompressed ? gzipSync(after) : after, { force: options.force === true || inPlace });
  }
  const verb = isWritten ? "Fixed" : "Can be fixed";
  for (const line of done) console.error(printable(`${verb}: ${line}`));
  for (const line of left) console.error(printable(`Not fixed: ${line}`));
  const where = isWritten ? ` Written to ${path}.` : "";
  console.error(printable(`${counted(done.length, "fix", "fixes")}, ${counted(left.length, "problem")} left.${where}`));
}

async function isGzip(path: string): Promise<boolean> {
  const [first, second] = await readFile(path);
  return first === 0x1f && second === 0x8b;
}
