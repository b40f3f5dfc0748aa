/** Targets that a page cannot fetch, as URLs. */
import { encodedPath } from "./url-path.ts";

/**
 * Path, for a path or an address whose scheme is not the web's: fsspec takes all its characters for those of names.
 * `undefined` for all others.
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
