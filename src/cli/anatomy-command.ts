/** `anatomy`: what a repository weighs, and what expiring snapshots and collecting garbage would free. */
import { type Anatomy, type Expiry, type PartBytes, PARTS, storedBytes } from "../core/anatomy.ts";
import {
  anatomyGaps,
  expirySentence,
  PART_NAMES,
  PART_NOTES,
  REASONS,
  splitSentence,
} from "../core/words/anatomy-words.ts";
import { count, counted } from "../core/words.ts";
import { repositoryOf } from "../engine/engine-set.ts";
import type { CommandOptions } from "./options.ts";
import { openSet, terminalContext } from "./open-refs.ts";
import { printableJson } from "./print/finding-json.ts";
import { findingLines } from "./print/finding-lines.ts";
import { aligned, paint, printable } from "./print/lines.ts";
import { bytesWords } from "./print/progress.ts";

/** 1 where something could not be read or is missing. */
export async function anatomyCommand(refs: readonly string[], options: CommandOptions): Promise<number> {
  const [address = ""] = refs;
  const context = terminalContext();
  const repository = repositoryOf(await openSet(address, options, context));
  const anatomy = await repository.anatomy(context);
  const expire = await repository.expiry(options.expireBefore, context);
  if (options.json) console.log(printableJson(jsonOf(anatomy, expire)));
  else for (const line of linesOf(anatomy, expire, options.limit ?? MOST_ROWS)) console.log(line);
  return anatomy.unread > 0 || anatomy.missingChunks > 0 ? 1 : 0;
}

const jsonOf = ({ orphans, ...anatomy }: Anatomy, expire: Expiry) => ({
  ...anatomy,
  orphans: orphans.map(({ name }) => name),
  orphanFiles: orphans,
  expire,
});

const MOST_ROWS = 20;

const size = (bytes: number): string => (bytes < 10_000 ? `${count(bytes)} B` : bytesWords(bytes));

function linesOf(anatomy: Anatomy, expire: Expiry, most: number): readonly string[] {
  const { bytes, counts, overwritten } = anatomy;
  const parts = PARTS.map((part) => [
    `  ${PART_NAMES[part]}`,
    size(bytes[part]),
    count(counts[part]),
    PART_NOTES[part],
  ]);
  const older = `  ${counted(overwritten.files, "older file")} below overwritten/, ${size(overwritten.bytes)}: kept by the library`;
  return [
    ...aligned(parts),
    ...(overwritten.files === 0 ? [] : [older]),
    ...anatomyGaps(anatomy),
    ...findingLines(anatomy.findings),
    ...arrayLines(anatomy, most),
    ...snapshotLines(anatomy, most),
    ...orphanLines(anatomy, most),
    ...readerLines(anatomy),
    "",
    paint("heading", "Expiry, simulated: nothing is deleted"),
    `  ${expirySentence(expire, size)}`,
    ...expire.freed.slice(0, most).map((name) => `  ${printable(name)}`),
    ...more(expire.freed.length, most, "files"),
  ];
}

function arrayLines({ arrays }: Anatomy, most: number): readonly string[] {
  const rows = arrays.map((one) => [
    pathOf(one) + (one.isCurrent ? "" : " (no longer there)"),
    count(one.references),
    ...cells(one.bytes).slice(0, 4),
    size(storedBytes(one.older)),
  ]);
  return table("Arrays", ["Array", "References", ...HEADS.slice(0, 4), "Files of older snapshots alone"], rows, most);
}

function snapshotLines({ snapshots }: Anatomy, most: number): readonly string[] {
  const rows = snapshots
    .toReversed()
    .map((one) => [
      one.id,
      one.time?.slice(0, 19) ?? "?",
      size(storedBytes(one.added)),
      size(storedBytes(one.unique)),
      size(one.added.virtual),
      [...one.refs.map((ref) => `[${ref}]`), one.message.split("\n", 1)[0] ?? ""].join(" "),
    ]);
  const head = ["Snapshot", "Time", "Files added", "Only here", "Virtual added", "Message"];
  return table("Snapshots, newest first", head, rows, most);
}

function orphanLines({ orphans }: Anatomy, most: number): readonly string[] {
  const rows = orphans.map(({ name, bytes, reason }) => [
    name,
    bytes === undefined ? "?" : count(bytes),
    REASONS[reason],
  ]);
  return table(`Orphans: ${counted(orphans.length, "file")}`, ["File", "Bytes", "Why"], rows, most);
}

const pathOf = ({ path }: { readonly path: string }): string => (path === "" ? "/" : path);

const HEADS = PARTS.map((part) => PART_NAMES[part]);

const cells = (bytes: PartBytes): readonly string[] => PARTS.map((part) => size(bytes[part]));

function table(title: string, head: readonly string[], rows: readonly (readonly string[])[], most: number) {
  if (rows.length === 0) return [];
  const lines = aligned([head, ...rows.slice(0, most)]);
  return ["", paint("heading", title), ...lines.map((line) => `  ${line}`), ...more(rows.length, most, "rows")];
}

const more = (all: number, most: number, what: string): readonly string[] =>
  all <= most ? [] : [`  … and ${count(all - most)} more ${what} (--limit N, or --json)`];

function readerLines({ reader }: Anatomy): readonly string[] {
  const { entry, snapshotBytes, arrays } = reader;
  if (arrays.length === 0) return [];
  const before = entry + snapshotBytes;
  const rows = arrays.map((one) => {
    const [least, most] = [size(before + one.least), size(before + one.most)];
    return [pathOf(one), least === most ? most : `${least} to ${most}`, splitSentence(one, size)];
  });
  return [
    "",
    paint("heading", "Before one chunk a reader downloads"),
    `  branches and tags (${size(entry)}), the snapshot (${size(snapshotBytes)}) and one manifest:`,
    ...aligned(rows).map((line) => `  ${line}`),
  ];
}
