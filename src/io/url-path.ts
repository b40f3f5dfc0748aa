import { attempt } from "../core/basics.ts";
/** Names as parts of a URL's path. */

/**
 * Every character means itself: all but letters, digits and what is harmless in a path (RFC 3986 §3.3) is
 * percent-encoded, a `%` too, since names are not encoded yet, and a plus, which S3 takes for a space where it is bare.
 * So a URL parser reads no `\`, tab or space as something else. `undefined` for half of a character.
 */
export const encodedPart = (part: string): string | undefined =>
  attempt(() => encodeURIComponent(part).replace(/%(?:3A|40|3D|2C|24|26|3B)/g, decodeURIComponent));

/** Decodes percent-encoded UTF-8; returns any other text unchanged. */
export const decodedPart = (text: string): string => attempt(() => decodeURIComponent(text), text);

/** Parts `.` and `..` are left as they are. */
export function encodedPath(path: string): string | undefined {
  const parts = path.split("/").map(encodedPart);
  return parts.includes(undefined) ? undefined : parts.join("/");
}

/**
 * A target that a page cannot fetch, as a URL: a path, or an address whose scheme is not the web's. fsspec takes all its
 * characters for those of names. `undefined` for all others.
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

/** True if a target is a relative path: without scheme, drive or root. */
export const isRelativePath = (target: string): boolean =>
  target !== "" && !/^(?:[a-z][a-z0-9+.-]*:|[/\\])/i.test(target);
