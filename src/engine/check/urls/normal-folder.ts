/** One spelling for all that lead to the same folder. */
import { urlParts } from "./url-parts.ts";

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
function withoutDots(path: string): string {
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
