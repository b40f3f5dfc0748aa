/** For tests: a set from an object, with targets as files given beside it or behind a URL. */
import { NO_LOCATIONS } from "#core/byte-source.ts";
import { bytesSource } from "#io/file.ts";
import type { HttpOptions } from "#io/http/http.ts";
import { droppedFiles } from "#io/local-files.ts";
import type { EngineSet } from "#engine/engine-set.ts";
import { CONTEXT } from "#engine/fixtures/plain-table.ts";
import { openSet } from "#engine/open/kerchunk-json/open-document.ts";

export type Refs = Readonly<Record<string, unknown>>;

/** Nothing is waited for between attempts. */
export const QUICK: HttpOptions = { followsRedirects: true, sleep: async () => undefined };

export async function openBeside(refs: Refs, files: Readonly<Record<string, BlobPart>>): Promise<EngineSet> {
  const given = Object.entries(files).map(([path, content]) => ({ path, blob: new File([content], path) }));
  const base = { kind: "file", path: "refs.json" } as const;
  return open(refs, { base, files: droppedFiles(given), path: "refs.json", url: undefined }, {});
}

export async function openBehind(refs: Refs, origin: string, http: HttpOptions = QUICK): Promise<EngineSet> {
  const url = `${origin}/refs.json`;
  return open(refs, { base: { kind: "url", url }, files: undefined, path: undefined, url }, http);
}

type Place = Pick<Parameters<typeof openSet>[0], "base" | "files" | "path" | "url">;

async function open(refs: Refs, place: Place, http: HttpOptions): Promise<EngineSet> {
  const document = bytesSource(new TextEncoder().encode(JSON.stringify({ version: 1, refs })), "refs.json");
  const opening = { locations: NO_LOCATIONS, network: { http }, options: {}, context: CONTEXT };
  const opened = await openSet({ document, name: "refs.json", ...place }, undefined, opening);
  if (opened.kind === "choose") throw new Error(opened.title);
  return opened.set;
}
