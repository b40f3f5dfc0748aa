/** `npm run gallery`: reads a chunk of every public store that the start page offers, and writes down when it did. */
import { count, counted } from "../../core/words.ts";
import { readFile, writeFile } from "node:fs/promises";
import { explained } from "../../core/findings/explain.ts";
import { explainedText } from "../../core/findings/explained.ts";
import { withReads, type Gallery, type PublicStore, type StoreRead } from "../../core/gallery/gallery.ts";
import type { Fetch } from "../../io/http-target.ts";
import { paint, printable } from "../lines.ts";
import { terminalContext } from "../open-refs.ts";
import { checkStore, type StoreReport } from "./check-store.ts";

export interface GalleryRun {
  /** The list; dates are written into it. */
  readonly file: string;
  /** Of the stores to check; none = all. */
  readonly ids: readonly string[];
  /** ISO date. */
  readonly today: string;
  readonly fetch?: Fetch;
}

/** 0 where all were read, 1 where some were not, 2 where no server answered or an id is not in the list. */
export async function runGallery({ file, ids, today, fetch }: GalleryRun): Promise<number> {
  const gallery = JSON.parse(await readFile(file, "utf8")) as Gallery;
  const all = gallery.groups.flatMap(({ stores }) => stores);
  const unknown = ids.filter((id) => !all.some((store) => store.id === id));
  if (unknown.length > 0) return refuse(unknown, all);
  const context = terminalContext();
  const reports: StoreReport[] = [];
  for (const store of ids.length === 0 ? all : all.filter(({ id }) => ids.includes(id))) {
    const report = await checkStore(store, context, fetch);
    print(report);
    reports.push(report);
  }
  if (reports.every(({ kind }) => kind === "no-answer")) {
    console.log("No server answered: this machine seems to have no way to the internet. Nothing was written.");
    return 2;
  }
  const reads = new Map(reports.flatMap((report) => readIn(report, today)));
  if (reads.size > 0) await writeFile(file, `${JSON.stringify(withReads(gallery, reads), undefined, 2)}\n`);
  const written = reads.size === 0 ? "Nothing was written" : `The date ${today} is written for those that were`;
  console.log(`${count(reads.size)} of ${counted(reports.length, "store")} read. ${written}.`);
  return reads.size === reports.length ? 0 : 1;
}

function readIn(report: StoreReport, date: string): readonly (readonly [string, StoreRead])[] {
  return report.kind === "read" ? [[report.store.id, { date, crossOrigin: report.closed.length === 0 }]] : [];
}

function refuse(unknown: readonly string[], all: readonly PublicStore[]): number {
  console.error(`Not in the list: ${unknown.map(printable).join(", ")}. It has ${all.map(({ id }) => id).join(", ")}.`);
  return 2;
}

function print(report: StoreReport): void {
  const { id, address } = report.store;
  const isRead = report.kind === "read";
  const sign = paint(isRead ? "good" : "error", isRead ? "✓" : "✕");
  console.log(`${sign} ${paint("heading", id)}  ${printable(address)}`);
  for (const line of said(report)) console.log(`  ${printable(line)}`);
}

function said(report: StoreReport): readonly string[] {
  switch (report.kind) {
    case "read":
      return [
        `${report.key} decoded to ${count(report.bytes)} bytes.`,
        ...(report.closed.length === 0 ? [] : [`Pages cannot read it: no CORS from ${report.closed.join(", ")}.`]),
      ];
    case "nothing-there":
      return [
        report.looked === 0
          ? `Opened (${report.format}), but no array was found to read a chunk of.`
          : `Opened (${report.format}), but the ${counted(report.looked, "chunk")} that were looked at are missing.`,
      ];
    case "failed":
    case "no-answer":
      return [`${explainedText(report.error, explained)} [${report.error.code}]`];
  }
}
