/**
 * Addresses of the objects that virtual chunks are in, as the official reader (icechunk 2.2.2) asks for them: measured at
 * servers that noted its requests, and at a proxy for stores that have no configurable endpoint.
 */
import type { FactsOf } from "../../core/findings/finding.ts";
import { isJsonObject } from "../../core/json.ts";
import type { ObjectPlace, VirtualContainer } from "../../formats/icechunk/index.ts";

/** What to resolve instead of the location; in which region, where the container says it; or why there is nothing. */
export type ObjectAddress =
  { readonly target: string; readonly region?: string; readonly step?: string } | { readonly refused: RefusedKey };

export type RefusedKey = FactsOf<"icechunk-key-refused">;

const S3_STORES = /^(?:s3|s3_compatible|tigris)$/;
const TIGRIS = "https://t3.storage.dev";

/** Where a place is by its container; without one by its scheme alone. */
export function objectAddress(place: ObjectPlace, container: VirtualContainer | undefined): ObjectAddress {
  const { scheme, authority } = place;
  const isS3 = container === undefined ? scheme === "s3" : S3_STORES.test(container.store);
  const key = isS3 ? s3Key(place.key) : storePath(place.key);
  if (key === undefined) return { refused: { problem: isS3 ? "dots" : "path", key: place.key.slice(0, 200) } };
  if (isS3) return s3Address({ ...place, key }, container);
  if (scheme === "http" || scheme === "https") return { target: `${scheme}://${authority}/${urlPath(key)}` };
  if (scheme === "file") return { target: `file:///${key}` };
  if (container?.store === "azure") return azureAddress({ ...place, key }, container);
  return { target: `${scheme}://${authority}/${key}` };
}

/** Keys of S3 are taken as they are, but a browser's URLs cannot say `.` and `..`. */
const s3Key = (key: string): string | undefined => (hasDots(key) ? undefined : key);

/** Other stores know neither these nor empty parts; a slash at the end does not count. Control characters neither. */
function storePath(key: string): string | undefined {
  const path = key.replace(/\/$/, "");
  // oxlint-disable-next-line no-control-regex -- these very characters
  const isRefused = hasDots(path) || /^\/|\/\/|[\u0000-\u001f\u007f]/.test(path);
  return isRefused ? undefined : path;
}

const hasDots = (key: string): boolean => key.split("/").some((part) => part === "." || part === "..");

/** A key as the path of a URL: what is not of a path is escaped, `%` too. */
export function urlPath(key: string): string {
  return encodeURI(key).replace(/[?#]/g, encodeURIComponent);
}

function s3Address({ authority, key }: ObjectPlace, container: VirtualContainer | undefined): ObjectAddress {
  const option = (name: string): string | undefined => textOption(container, name);
  const endpoint = option("endpoint_url") ?? (container?.store === "tigris" ? TIGRIS : undefined);
  const region = option("region");
  if (endpoint === undefined) {
    return { target: `s3://${authority}/${key}`, ...(region === undefined ? {} : { region }) };
  }
  const isByPath = isJsonObject(container?.options) && container.options.get("force_path_style") === true;
  const target = endpointUrl(authority, key, endpoint, isByPath);
  if (target === undefined) return { refused: { problem: "endpoint", endpoint } };
  return { target, step: `the container's endpoint: s3://${authority}/${key} is ${target}` };
}

/** Buckets that fit into a host's name are there, unless the endpoint is an IP address. */
const HOST_LABEL = /^[a-z\d](?:[a-z\d-]{1,61})[a-z\d]$/;

function endpointUrl(bucket: string, key: string, endpoint: string, isByPath: boolean): string | undefined {
  if (!/^[\w.-]+$/.test(bucket) || !URL.canParse(endpoint)) return undefined;
  const url = new URL(endpoint);
  const path = key.split("/").map(encodeURIComponent).join("/");
  const folder = url.pathname.replace(/\/+$/, "");
  const isIp = /^(?:[\d.]+|\[.*\])$/.test(url.hostname);
  if (isByPath || isIp || !HOST_LABEL.test(bucket)) return `${url.origin}${folder}/${bucket}/${path}`;
  return `${url.protocol}//${bucket}.${url.host}${folder}/${path}`;
}

/** The account is the container's option; what is in the location is the container within it. */
function azureAddress({ scheme, authority, key }: ObjectPlace, container: VirtualContainer): ObjectAddress {
  const account = textOption(container, "account");
  const endpoint = textOption(container, "endpoint") ?? textOption(container, "azure_storage_endpoint");
  if (account === undefined || !/^[a-z\d]{3,24}$/.test(account) || !/^[\w$-]+$/.test(authority)) {
    return { target: `${scheme}://${authority}/${key}` };
  }
  if (endpoint !== undefined && !URL.canParse(endpoint)) return { refused: { problem: "endpoint", endpoint } };
  const base = (endpoint ?? `https://${account}.blob.core.windows.net`).replace(/\/+$/, "");
  const target = `${base}/${authority}/${urlPath(key)}`;
  return { target, step: `the container's storage account ${account}: ${target}` };
}

function textOption(container: VirtualContainer | undefined, name: string): string | undefined {
  const options = container?.options;
  const value = isJsonObject(options) ? options.get(name) : undefined;
  return typeof value === "string" && value !== "" ? value : undefined;
}
