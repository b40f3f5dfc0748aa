/** Targets that a page cannot fetch, as URLs. */
import { encodedPath } from "./url-path.ts";

/**
 * Of a path, and of an address whose scheme is not the web's: as fsspec has it, all characters of the path are those of
 * names. `undefined` for all others.
 */
export function asItIs(target: string): string | undefined {
  if (/^https?:/i.test(target)) return undefined;
  const local = /^(?:file:(?:\/\/(?:localhost(?=\/))?)?)?(?=\/(?!\/))/i.exec(target)?.[0];
  const [, place, key = ""] = /^([a-z][a-z\d+.-]*:\/\/[^/]*)(\/.*)?$/is.exec(target) ?? [];
  const [start, path] = local === undefined ? [place, key] : ["file://", target.slice(local.length)];
  // Parsers of URLs would take these for a way out.
  const name = path.split("/").some((part) => part === "." || part === "..") ? undefined : encodedPath(path);
  return start === undefined || name === undefined ? undefined : start + name;
}
