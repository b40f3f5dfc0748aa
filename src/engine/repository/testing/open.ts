/** For tests: a repository in memory, opened through the engine. */
import { type CallContext, NO_LOCATIONS } from "#core/byte-source.ts";
import { droppedFiles } from "#io/local-files.ts";
import { repositoryOf, type EngineSet } from "#engine/engine-set.ts";
import { openAny, openFiles } from "#engine/open/open-any.ts";

export type Files = ReadonlyMap<string, Uint8Array>;

export const CONTEXT: CallContext = { signal: new AbortController().signal, report: () => undefined };
const OFFLINE = { http: { fetch: () => Promise.reject(new Error("There is no network here.")), attempts: 1 } };

export async function openSet(files: Files, ref?: string): Promise<EngineSet> {
  const dropped = droppedFiles([...files].map(([path, bytes]) => ({ path, blob: new Blob([bytes.slice()]) })));
  const options = ref === undefined ? {} : { ref };
  const opened = await openFiles(dropped, { locations: NO_LOCATIONS, network: OFFLINE, options, context: CONTEXT });
  if (opened.kind !== "set") throw new Error(opened.title);
  return opened.set;
}

export const openRepositoryOf = async (files: Files, ref?: string) => repositoryOf(await openSet(files, ref));

/** The same behind an address that cannot be listed; `asked` are the paths of all requests. */
export async function openServed(files: Files, ref?: string) {
  const asked: string[] = [];
  const fetch = (url: string): Promise<Response> => {
    const path = decodeURIComponent(new URL(url).pathname).slice("/one/".length);
    asked.push(path);
    const bytes = files.get(path);
    return Promise.resolve(bytes === undefined ? new Response("", { status: 404 }) : new Response(bytes.slice()));
  };
  const network = { http: { fetch, attempts: 1 } };
  const place = { kind: "url", url: "https://data.example/one" } as const;
  const opened = await openAny(place, { locations: NO_LOCATIONS, network, options: { ref }, context: CONTEXT });
  if (opened.kind !== "set") throw new Error(opened.title);
  return { asked, set: opened.set, repository: repositoryOf(opened.set) };
}
