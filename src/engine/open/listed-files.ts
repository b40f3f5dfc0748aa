/** Data files that a server lists in a folder, by their names: a look at each would be a request. No part of the first load. */
import { failure, targetAt } from "#core/findings/finding.ts";
import { coalesced } from "#io/http/coalesce.ts";
import { httpSource } from "#io/http/http.ts";
import { folderLister, MOST_LISTED } from "#io/http/list-folder.ts";
import type { LocalFiles } from "#io/local-files.ts";
import { decodedPart, encodedPart } from "#io/url-path.ts";
import { dataFile } from "./data-file/driver.ts";
import type { Opening } from "./driver.ts";
import { urlDocument } from "../chunk/sources.ts";

/**
 * `url` ends with `/`, or in a pattern with `*`. `undefined` for any other, where nothing is listed, and where there is
 * no data file. Throws `too-many-files`.
 */
export async function listedFiles(url: string, opening: Omit<Opening, "options">): Promise<LocalFiles | undefined> {
  const { locations, network, context } = opening;
  const { base } = urlDocument(url, locations, network);
  const { protocol = "", host = "", pathname = "", search = "" } = base.kind === "url" ? new URL(base.url) : {};
  const origin = `${protocol}//${host}`;
  const [folder, last] = pathname.split(/(?<=\/)(?=[^/]*$)/) as [string, string?];
  const parts = decodedPart(last ?? "").split("*");
  if (parts.length === 1 && last !== undefined) return undefined;
  const { credentials, allowPrivate, relays } = locations;
  const http = { ...network.http, credentials, allowPrivate, relays };
  const listing = await folderLister(http)(origin + folder + search, parts[0] ?? "", context);
  if (listing === undefined) return undefined;
  const { files, isCut } = listing;
  if (isCut) throw failure("too-many-files", targetAt(url), { limit: MOST_LISTED });
  // A file and the description of its chunks beside it count once.
  const isTwin = (name: string) => name.endsWith(".dmrpp") && files.has(name.slice(0, -".dmrpp".length));
  const list = [...files.keys()].filter(
    (name) => dataFile.document?.names.test(name) === true && !isTwin(name) && fits(name, parts),
  );
  const urlOf = (name: string) => `${origin}${folder}${encodedPart(name) ?? ""}${search}`;
  const source = (name: string) => {
    const size = files.get(name);
    return coalesced(httpSource(urlOf(name), { ...http, ...(size === undefined ? {} : { size }) }));
  };
  return list.length === 0 ? undefined : { list, find: () => ({ kind: "none" }), source, urlOf };
}

/** `parts`: of a pattern between its `*`, each as early as it comes. Names begin with the first. */
function fits(name: string, parts: readonly string[]): boolean {
  let left = name;
  for (const part of parts.slice(0, -1)) {
    if (!left.includes(part)) return false;
    left = left.slice(left.indexOf(part) + part.length);
  }
  return left.endsWith(parts.at(-1) ?? "");
}
