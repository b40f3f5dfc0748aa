/** Files below a folder as a server gives them: whole, or a closed range. */
import { attempt } from "#core/basics.ts";
import { open, realpath, stat } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { extname, join, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import { type Asked, end } from "./loopback.ts";

export interface Folder {
  /** Without links. */
  readonly real: string;
  /** Content type by a file's name; absent: always bytes. */
  readonly typeOf?: (name: string) => string;
}

/** A path as it stands in an address, relative to the folder. Links are followed to what lies below it. */
export async function sendFile(asked: Asked, response: ServerResponse, folder: Folder, path: string): Promise<void> {
  const full = await filePath(folder.real, path);
  const info = full === undefined ? undefined : await stat(full).catch(() => undefined);
  if (full === undefined || info?.isFile() !== true) return end(response, 404);
  const range = closedRange(asked.range);
  if (range === "other") return end(response, 416);
  const [first, last] = range === undefined ? [0, info.size - 1] : [range.first, Math.min(range.last, info.size - 1)];
  response.setHeader("accept-ranges", "bytes");
  if (range !== undefined && first > last) {
    response.setHeader("content-range", `bytes */${info.size}`);
    return end(response, 416);
  }
  if (range !== undefined) response.setHeader("content-range", `bytes ${first}-${last}/${info.size}`);
  response.writeHead(range === undefined ? 200 : 206, {
    "content-type": folder.typeOf?.(full) ?? "application/octet-stream",
    "content-length": last - first + 1,
    "last-modified": info.mtime.toUTCString(),
  });
  if (asked.method === "HEAD" || last < first) return void response.end();
  const file = await open(full);
  await pipeline(file.createReadStream({ start: first, end: last }), response);
}

/** `undefined` where nothing is, or not below the folder. */
async function filePath(folder: string, path: string): Promise<string | undefined> {
  const parts = path.split("/").map(decoded);
  // Names that no file here can have: empty, dots, another separator, half of a character.
  // oxlint-disable-next-line no-control-regex -- this very character
  if (parts.some((part) => part === undefined || /^\.{0,2}$|[/\\\u0000]/.test(part))) return undefined;
  const full = await realpath(join(folder, ...(parts as string[]))).catch(() => undefined);
  const above = folder.endsWith(sep) ? folder : folder + sep;
  const isBelow = full?.startsWith(above) === true;
  return isBelow && ![...parts, ...full.slice(above.length).split(sep)].some(isHidden) ? full : undefined;
}

/** Names that begin with a dot are for programs' own secrets, but for those of Zarr and NCZarr. */
const isHidden = (part = ""): boolean =>
  part.startsWith(".") && !/^\.(?:z(?:array|attrs|group|metadata)|ncz(?:array|attr|group|metadata))$/.test(part);

const decoded = (part: string): string | undefined => attempt(() => decodeURIComponent(part));

interface ClosedRange {
  readonly first: number;
  readonly last: number;
}

/** "other": what is no single closed range. */
export function closedRange(header: string | undefined): ClosedRange | "other" | undefined {
  if (header === undefined) return undefined;
  const [, a, b] = /^bytes=(\d{1,16})-(\d{1,16})$/.exec(header) ?? [];
  const [first, last] = [Number(a), Number(b)];
  return Number.isSafeInteger(first) && Number.isSafeInteger(last) && first <= last ? { first, last } : "other";
}

const TYPES: ReadonlyMap<string, string> = new Map([
  [".html", "text/html; charset=utf-8"],
  [".js", "text/javascript; charset=utf-8"],
  [".css", "text/css; charset=utf-8"],
  [".json", "application/json"],
  [".svg", "image/svg+xml"],
  [".png", "image/png"],
  [".ttf", "font/ttf"],
  [".wasm", "application/wasm"],
  [".md", "text/markdown; charset=utf-8"],
]);

export const typeOf = (name: string): string => TYPES.get(extname(name)) ?? "application/octet-stream";
