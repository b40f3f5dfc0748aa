/** Signature Version 4 of requests without a body (AWS, "Create a signed AWS API request"). */
import { createHash, createHmac } from "node:crypto";

export interface AwsKeys {
  readonly id: string;
  readonly secret: string;
  /** Session token of temporary keys. */
  readonly session?: string | undefined;
}

export interface Signing {
  readonly method: string;
  /** Its path is signed as it is: parts are percent-encoded once. */
  readonly url: URL;
  /** To be signed beside the host and the date; names in small letters. */
  readonly headers: Readonly<Record<string, string>>;
  readonly keys: AwsKeys;
  readonly region: string;
  readonly service: string;
  /** `YYYYMMDDTHHMMSSZ` */
  readonly date: string;
}

const hash = (text: string): string => createHash("sha256").update(text).digest("hex");
const hmac = (key: string | Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest();

/** Hash of an empty body. */
export const EMPTY_HASH = hash("");

export const awsDate = (time: Date): string => time.toISOString().replaceAll(/[-:]|\.\d+/g, "");

/** All headers that go with the request, but for the host. */
export function signedHeaders({ method, url, headers, keys, region, service, date }: Signing) {
  const own = {
    ...headers,
    "x-amz-date": date,
    ...(keys.session === undefined ? {} : { "x-amz-security-token": keys.session }),
  };
  const all = Object.entries({ ...own, host: url.host }).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const names = all.map(([name]) => name).join(";");
  const canonical = [
    method,
    url.pathname,
    canonicalQuery(url.searchParams),
    ...all.map(([name, value]) => `${name}:${value.trim().replaceAll(/ +/g, " ")}`),
    "",
    names,
    EMPTY_HASH,
  ].join("\n");
  const scope = `${date.slice(0, 8)}/${region}/${service}/aws4_request`;
  const text = ["AWS4-HMAC-SHA256", date, scope, hash(canonical)].join("\n");
  const key = scope.split("/").reduce<string | Buffer>(hmac, `AWS4${keys.secret}`);
  const signature = createHmac("sha256", key).update(text).digest("hex");
  const authorization = `AWS4-HMAC-SHA256 Credential=${keys.id}/${scope}, SignedHeaders=${names}, Signature=${signature}`;
  return { ...own, authorization };
}

function canonicalQuery(query: URLSearchParams): string {
  const parts = [...query].map(([name, value]) => `${encoded(name)}=${encoded(value)}`);
  return parts.toSorted((a, b) => (a < b ? -1 : 1)).join("&");
}

/** All but the unreserved characters of RFC 3986. */
export const encoded = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
