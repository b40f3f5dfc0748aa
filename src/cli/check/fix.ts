/** `check --fix` and `--diff`: the document with the fixes that are safe, and which were left. */
import { readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { allFixes } from "#core/check/fix-all.ts";
import { placeText, unlessFinding } from "#core/findings/finding.ts";
import type { SaidFinding } from "#core/findings/explained.ts";
import { repairLine } from "#core/repair.ts";
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
  const wrong = causes.filter(({ said }) => said.severity !== "info");
  const { taken, left, edits } = allFixes(wrong.flatMap((cause) => searched.get(cause)?.offers ?? []));
  const unfixed = wrong.flatMap((cause) => {
    const { offers = [], tried = "there is no fix to try." } = searched.get(cause) ?? {};
    return offers.length > 0 ? [] : [`${cause.said.title} (${placeText(cause.found.place)}): ${tried}`];
  });
  return {
    before,
    after: edited(before, edits),
    done: taken.map((offer) => `${repairLine(offer)}.`),
    left: [...unfixed, ...left.map(([offer, why]) => `${repairLine(offer)}: ${why}`)],
  };
}

function edited(text: string, edits: readonly TableEdit[]): string {
  return unlessFinding(
    () => edits.reduce((known, edit) => applyTextEdits(known, textEdits(known, edit)), text),
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
