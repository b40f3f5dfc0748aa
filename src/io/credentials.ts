/** Which of the user's request headers go with a URL: those of the longest prefix that covers it, and no others. */
import { failure } from "../core/findings/failure.ts";
import { targetAt } from "../core/findings/place.ts";
import type { Credential } from "../core/location.ts";

/** @throws RefscopeError `credential-invalid` where a header cannot be sent. */
export function headersFor(url: string, credentials: readonly Credential[]): readonly (readonly [string, string])[] {
  const covering = credentials.filter((credential) => covers(credential.prefix, url));
  const closest = covering.sort((a, b) => b.prefix.length - a.prefix.length)[0];
  if (closest === undefined) return [];
  checkHeaders(closest);
  return closest.headers;
}

/**
 * What may stand for `/../` once a server or a proxy before it has undone escapes (perhaps twice), read `\` as `/`, and
 * dropped what follows a `;`. A URL parser leaves it alone.
 */
function mayLeaveFolder(path: string): boolean {
  let plain = path;
  for (let times = 0; times < 3; times += 1) plain = plain.replace(/%(?:25|2e|2f|5c|3b)/gi, decodeURIComponent);
  return plain.split(/[/\\]/).some((part) => /^\.\.?(?:;|$)/.test(part));
}

/**
 * Same scheme, host and port, and a path below the prefix's: `https://a.example/x` covers `https://a.example/x/y` and
 * neither `https://a.example/xy` nor `https://a.example.evil/x`, nor what a server may take for `https://a.example/y`.
 */
export function covers(prefix: string, url: string): boolean {
  const a = parse(prefix);
  const b = parse(url);
  if (a === undefined || b === undefined || a.origin === "null" || a.origin !== b.origin) return false;
  const path = a.pathname;
  if (!b.pathname.startsWith(path) || mayLeaveFolder(b.pathname)) return false;
  return path.endsWith("/") || b.pathname.length === path.length || b.pathname[path.length] === "/";
}

function parse(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/** The message never repeats a header's value. */
function checkHeaders(credential: Credential): void {
  const headers = new Headers();
  for (const [name, value] of credential.headers) {
    try {
      headers.set(name, value);
    } catch {
      throw failure("credential-invalid", targetAt(credential.prefix), { header: name });
    }
  }
}
