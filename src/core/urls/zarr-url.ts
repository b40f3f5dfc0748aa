/**
 * Addresses of ZEP 8, as Icechunk, TensorStore and Neuroglancer write them: `s3://bucket/repo|icechunk:@branch.main/sst`,
 * `https://host/all.zip|zip:store.zarr|zarr3:sst`.
 */
import { attempt } from "../basics.ts";
import { failure, targetAt } from "../findings/finding.ts";

export interface ZarrUrl {
  /** URL of the file or folder. */
  readonly url: string;
  /** Inside an archive. */
  readonly choice: string | undefined;
  readonly ref: string | undefined;
  /** "" = the root. */
  readonly array: string;
}

/** An adapter begins with its name. Addresses that went through `URL` have the sign escaped. */
const PIPE = /(?:\||%7c)(?=[a-z][a-z\d.+-]*:)/i;

/** `undefined` where it is another kind of address. Throws where it goes through what is not known. */
export function zarrUrl(text: string): ZarrUrl | undefined {
  const [url = "", ...adapters] = text.trim().split(PIPE);
  if (adapters.length === 0) return undefined;
  return adapters.reduce<ZarrUrl>(through, { url, choice: undefined, ref: undefined, array: "" });
}

function through(at: ZarrUrl, adapter: string): ZarrUrl {
  const colon = adapter.indexOf(":");
  const [name, path] = [adapter.slice(0, colon).toLowerCase(), adapter.slice(colon + 1)];
  // Compressed documents are recognised anyway.
  if (name === "gzip" || name === "zstd") return at;
  if (name === "zip") return { ...at, choice: within(at.choice, plain(path)) };
  if (/^zarr[23]?$/.test(name)) return { ...inFolder(at), array: joined(at.array, path) };
  if (name !== "icechunk") throw failure("target-scheme-unsupported", targetAt(at.url), { scheme: name });
  const [, version, rest = ""] = /^\/*(?:@([^/]*))?(.*)$/s.exec(path) ?? [];
  return { ...inFolder(at), ref: refOf(version), array: joined(at.array, rest) };
}

/** A folder, by the slash at its end. */
function inFolder({ url, choice, ...rest }: ZarrUrl): ZarrUrl {
  if (choice === undefined) return { ...rest, choice, url: /[?#]/.test(url) ? url : `${url.replace(/\/+$/, "")}/` };
  return { ...rest, url, choice: choice === "" || choice.endsWith("/") ? choice : `${choice}/` };
}

/** Archives in archives are joined as choices are; "" = whatever is found there. */
const within = (outer: string | undefined, inner: string): string =>
  outer === undefined || outer === "" ? inner : `${outer.replace(/\/$/, "")}!/${inner}`;

function refOf(version: string | undefined): string | undefined {
  if (version === undefined || version === "") return undefined;
  const [, kind, name = ""] = /^(branch|tag)\.(.+)$/.exec(version) ?? [];
  return kind === undefined ? `snapshot:${plain(version)}` : `${kind}:${plain(name)}`;
}

const joined = (...paths: readonly string[]): string =>
  paths
    .map((path) => plain(path).replaceAll(/^\/+|\/+$/g, ""))
    .filter((path) => path !== "")
    .join("/");

const plain = (text: string): string => attempt(() => decodeURIComponent(text), text);
