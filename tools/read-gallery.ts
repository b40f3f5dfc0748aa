/** The process of `npm run gallery`; its arguments are ids of stores. */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { type CallContext, NO_LOCATIONS } from "../src/core/byte-source.ts";
import { cellCount, coordinatesOf, gridOf } from "../src/core/metadata/chunk-grid.ts";
import { explained } from "../src/core/findings/explain.ts";
import { explainedText } from "../src/core/findings/explained.ts";
import { type Finding, findingOfError } from "../src/core/findings/finding.ts";
import { type Gallery, type PublicStore, type StoreRead, withReads } from "../src/core/gallery/gallery.ts";
import type { ArrayNode } from "../src/core/metadata/array-metadata.ts";
import { count, counted } from "../src/core/words.ts";
import { chunkReference } from "../src/engine/chunk/chunk-reference.ts";
import type { EngineSet } from "../src/engine/engine-set.ts";
import { readOne } from "../src/engine/many/read-chunks.ts";
import { openAny } from "../src/engine/open/open-any.ts";
import type { Fetch } from "../src/io/http/http-target.ts";
import { paint, printable } from "../src/cli/print/lines.ts";
import { terminalContext } from "../src/cli/open-refs.ts";
import { writeOut } from "../src/cli/write-out.ts";

// Whether a public store of the list can be read: it is opened as the page opens it, and one chunk is decoded.

type StoreReport = { readonly store: PublicStore } & (
  | {
      readonly kind: "read";
      readonly key: string;
      /** Decoded. */
      readonly bytes: number;
      /** Origins that let no page from elsewhere read them. */
      readonly closed: readonly string[];
    }
  /** It opened, but all chunks that were looked at are missing. */
  | { readonly kind: "nothing-there"; readonly format: string; readonly looked: number }
  | { readonly kind: "failed"; readonly during: "opening" | "reading"; readonly error: Finding }
  /** Not one of its servers answered. */
  | { readonly kind: "no-answer"; readonly error: Finding }
);

/** Throws only for an abort. */
async function checkStore(
  store: PublicStore,
  context: CallContext,
  fetch: Fetch = globalThis.fetch,
): Promise<StoreReport> {
  const watched = watchedFetch(fetch);
  const report = await opened(store, watched, context);
  if (report.kind === "failed" && !watched.answered()) return { store, kind: "no-answer", error: report.error };
  return report;
}

async function opened(store: PublicStore, watched: WatchedFetch, context: CallContext): Promise<StoreReport> {
  let during: "opening" | "reading" = "opening";
  try {
    const found = await openAny(
      { kind: "url", url: store.address },
      {
        locations: NO_LOCATIONS,
        network: { http: { fetch: watched.fetch, followsRedirects: true, attempts: 2 } },
        options: store.array === null ? {} : { paths: pathsTo(store.array) },
        context,
      },
    );
    if (found.kind === "choose") return { store, kind: "nothing-there", format: found.title, looked: 0 };
    during = "reading";
    return await aChunk(store, found.set, watched, context);
  } catch (error) {
    context.signal.throwIfAborted();
    const doing = `${during === "opening" ? "Opening" : "Reading a chunk of"} ${store.address}`;
    return { store, kind: "failed", during, error: findingOfError(error, doing) };
  }
}

/** Groups on the way, and the array. */
const pathsTo = (array: string): readonly string[] =>
  array.split("/").map((_, index, parts) => parts.slice(0, index + 1).join("/"));

const MAX_ARRAYS = 4;

/** The first chunk, one in the middle and the last of a few arrays, until one decodes. */
async function aChunk(
  store: PublicStore,
  set: EngineSet,
  watched: WatchedFetch,
  context: CallContext,
): Promise<StoreReport> {
  let failed: Finding | undefined;
  let looked = 0;
  for (const node of arraysOf(set, store.array)) {
    for (const coordinates of someChunks(node)) {
      looked += 1;
      const outcome = await readOne({ set }, await chunkReference(set, node, coordinates, context), context);
      if (outcome.kind === "failed") failed ??= outcome.error;
      if (outcome.kind !== "decoded") continue;
      const { key } = outcome.chunk;
      return { store, kind: "read", key, bytes: outcome.decoded.bytes.length, closed: watched.closed() };
    }
  }
  if (failed !== undefined) return { store, kind: "failed", during: "reading", error: failed };
  return { store, kind: "nothing-there", format: set.format.label, looked };
}

/** The one that the list names; otherwise those of most dimensions, as what is measured has more than its axes. */
function arraysOf(set: EngineSet, named: string | null): readonly ArrayNode[] {
  const arrays = [...set.hierarchy.nodes.values()].filter((node) => node.kind === "array");
  const meant = arrays.filter(({ path }) => path === named);
  if (meant.length > 0) return meant;
  return arrays.toSorted((a, b) => b.metadata.shape.length - a.metadata.shape.length).slice(0, MAX_ARRAYS);
}

function someChunks({ metadata }: ArrayNode): readonly (readonly number[])[] {
  const grid = gridOf(metadata.shape, metadata.chunks);
  const cells = cellCount(grid);
  const ordinals = cells === 0 ? [] : [0, Math.floor(cells / 2), cells - 1];
  return [...new Set(ordinals)].map((ordinal) => coordinatesOf(grid, ordinal));
}

// A `fetch` that asks as a page from elsewhere would, and notes which servers would have let it read the answer.

interface WatchedFetch {
  readonly fetch: Fetch;
  /** Whether any server answered at all. */
  readonly answered: () => boolean;
  /** Origins that gave what was asked for, but not to pages (Fetch, "CORS check"). */
  readonly closed: () => readonly string[];
}

/** Where a page might be; no server is meant to know it. */
const PAGE = "https://refscope.example";

function watchedFetch(fetch: Fetch): WatchedFetch {
  const closed = new Set<string>();
  let answers = 0;
  return {
    async fetch(url, init) {
      const headers = new Headers(init.headers);
      headers.set("Origin", PAGE);
      const response = await fetch(url, { ...init, headers });
      answers += 1;
      const allowed = response.headers.get("Access-Control-Allow-Origin");
      if (response.ok && allowed !== "*" && allowed !== PAGE) closed.add(new URL(url).origin);
      return response;
    },
    answered: () => answers > 0,
    closed: () => [...closed],
  };
}

// `npm run gallery`: reads a chunk of every public store that the start page offers, and writes down when it did.

interface GalleryRun {
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
  if (reads.size > 0)
    await writeOut(file, `${JSON.stringify(withReads(gallery, reads), undefined, 2)}\n`, { force: true });
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

process.exitCode = await runGallery({
  file: resolve(import.meta.dirname, "../src/core/gallery/stores.json"),
  ids: process.argv.slice(2),
  today: new Date().toISOString().slice(0, 10),
});
