/** A target's URL in its parts, as it is written: nothing is decoded, lower-cased or put in order. */

export interface UrlParts {
  /** Scheme as written; absent for paths. */
  readonly scheme: string | undefined;
  /** User and password, without the `@`. */
  readonly user: string | undefined;
  /** With its port; `""` where there is none. */
  readonly host: string;
  /** With its first slash. */
  readonly path: string;
  /** With its `?` or `#`, as far as there is one. */
  readonly rest: string;
}

const CACHES = /^(?:(?:simplecache|filecache|blockcache|cached|dircache)::)+/;

/** Without the caches of fsspec's chained URLs, which change nothing. */
export const withoutCaches = (target: string): string => target.replace(CACHES, "");

/** Folder of a file, its slash included. */
export function folderOf(target: string): string {
  // Run for every target: no expression where a search does.
  const [query, hash] = [target.indexOf("?"), target.indexOf("#")];
  const end = query < 0 ? hash : hash < 0 ? query : Math.min(query, hash);
  const before = end < 0 ? target.length : end;
  const slash = target.lastIndexOf("/", before);
  const folder =
    target.includes("\\") && isWindowsPath(target) ? Math.max(slash, target.lastIndexOf("\\", before)) : slash;
  return target.slice(0, folder + 1);
}

export function urlParts(target: string): UrlParts {
  const end = target.search(/[?#]/);
  const head = end < 0 ? target : target.slice(0, end);
  const rest = end < 0 ? "" : target.slice(end);
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(head)?.[1];
  if (scheme === undefined) return { scheme, user: undefined, host: "", path: head, rest };
  const after = head.slice(scheme.length + 3);
  const slash = after.indexOf("/");
  const authority = slash < 0 ? after : after.slice(0, slash);
  const at = authority.lastIndexOf("@");
  return {
    scheme,
    user: at < 0 ? undefined : authority.slice(0, at),
    host: authority.slice(at + 1),
    path: slash < 0 ? "" : after.slice(slash),
    rest,
  };
}

/** Kinds of places that a URL leads to: a path of this machine, a path beside the document, or something elsewhere. */
export type UrlKind = "remote" | "local" | "relative" | "other";

const DRIVE = /^(?:[a-z]:[\\/]|\\\\)/i;
/** With a drive, or in parts that backslashes part. */
const isWindowsPath = (target: string): boolean => DRIVE.test(target) || /^[^/:]*\\/.test(target);

export function urlKind(target: string): UrlKind {
  // Templates that are not filled in and files inside of files are judged by others.
  if (target === "" || target.includes("{{") || target.includes("::")) return "other";
  if (isWindowsPath(target) || /^(?:file|local):/i.test(target) || /^\/(?!\/)/.test(target)) return "local";
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(target)) return "remote";
  return /^(?:data|memory|blob|about|mailto):/i.test(target) ? "other" : "relative";
}

type LocalSyntax = "windows" | "file" | "absolute";

export function localSyntax(target: string): LocalSyntax {
  if (isWindowsPath(target) || /^(?:file|local):\/*[a-z]:[\\/]/i.test(target)) return "windows";
  return target.startsWith("/") ? "absolute" : "file";
}

// One spelling for all that lead to the same folder.

export function normalFolder(written: string): string {
  const { scheme, user, host, path, rest } = urlParts(written);
  if (scheme === undefined) return withoutDots(written.replace(/^\.\//, ""));
  const name = scheme.toLowerCase();
  const isWeb = name === "http" || name === "https";
  const where = isWeb ? host.toLowerCase().replace(name === "https" ? /:443$/ : /:80$/, "") : host;
  const folder = withoutDots(plainEscapes(path));
  if (name === "file") return folder;
  return `${name}://${user === undefined ? "" : `${user}@`}${where}${folder}${rest}`;
}

/** Characters that need no escape without one; the others in capitals. */
function plainEscapes(path: string): string {
  return path.replace(/%[0-9a-f]{2}/gi, (escape) => {
    const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
    return /[\w.~-]/.test(character) ? character : escape.toUpperCase();
  });
}

/** Without empty parts, `.` and `..`; a path that begins or ends with a slash still does. */
export function withoutDots(path: string): string {
  if (!/\/\/|(?:^|\/)\.\.?(?:\/|$)/.test(path)) return path;
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === ".." && parts.length > 0 && parts.at(-1) !== "..") parts.pop();
    else parts.push(part);
  }
  const text = `${path.startsWith("/") ? "/" : ""}${parts.join("/")}`;
  return path.endsWith("/") && parts.length > 0 ? `${text}/` : text;
}
