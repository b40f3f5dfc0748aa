/** Public HTTPS addresses of what is in S3, Google Cloud Storage and Azure Blob Storage. */
import { type FactsOf, finding, type Finding } from "../core/findings/finding.ts";
import { WHOLE_SET } from "../core/findings/place.ts";
import { encodedPath } from "./url-path.ts";

export type BucketUrl =
  | { readonly kind: "url"; readonly url: string; readonly step: string }
  /** The caller knows the place. */
  | { readonly kind: "refused"; readonly finding: Finding }
  | { readonly kind: "unknown" };

/** `text` begins with `scheme://`. */
export function bucketUrl(text: string, scheme: string, region: string | undefined): BucketUrl {
  const rest = text.slice(scheme.length + 3);
  const slash = rest.indexOf("/");
  const authority = slash < 0 ? rest : rest.slice(0, slash);
  const key = slash < 0 ? "" : rest.slice(slash + 1);
  switch (scheme) {
    case "s3":
    case "s3a":
    case "s3n":
      return s3(authority, key, region);
    case "gs":
    case "gcs":
      return gcs(authority, key);
    case "az":
    case "abfs":
    case "abfss":
    case "adl":
    case "wasb":
    case "wasbs":
      return azure(scheme, authority, key);
    default:
      return { kind: "unknown" };
  }
}

/** Bucket names as S3 and GCS have ever allowed them; never anything that could change the host. */
const BUCKET = /^[a-zA-Z0-9][a-zA-Z0-9._-]{1,253}[a-zA-Z0-9]$/;
const REGION = /^[a-z0-9-]{2,40}$/;

/**
 * Virtual-hosted style (AWS, "Virtual hosting of general purpose buckets"); path style for names that do not fit into
 * one label of the certificate's `*.s3.amazonaws.com`.
 */
function s3(bucket: string, key: string, region: string | undefined): BucketUrl {
  if (!BUCKET.test(bucket)) return malformed("s3-bucket", bucket);
  if (region !== undefined && !REGION.test(region)) return malformed("aws-region", region);
  const path = keyPath(key);
  if (path === undefined) return unspeakable(key);
  const domain = region?.startsWith("cn-") === true ? "amazonaws.com.cn" : "amazonaws.com";
  const endpoint = region === undefined ? `s3.${domain}` : `s3.${region}.${domain}`;
  const where = region === undefined ? "" : ` in ${region}`;
  if (/^[a-z0-9-]{3,63}$/.test(bucket)) {
    const step = `s3://${bucket}/… → public HTTPS address of the bucket${where}`;
    return { kind: "url", url: `https://${bucket}.${endpoint}/${path}`, step };
  }
  const why = "path style, since the bucket's name does not fit into a host name with a valid certificate";
  const hint = region === undefined ? "; outside us-east-1 this needs the region" : "";
  const step = `s3://${bucket}/… → public HTTPS address of the bucket${where} (${why}${hint})`;
  return { kind: "url", url: `https://${endpoint}/${bucket}/${path}`, step };
}

function gcs(bucket: string, key: string): BucketUrl {
  if (!BUCKET.test(bucket)) return malformed("gcs-bucket", bucket);
  const path = keyPath(key);
  if (path === undefined) return unspeakable(key);
  const step = `gs://${bucket}/… → public HTTPS address of the bucket`;
  return { kind: "url", url: `https://storage.googleapis.com/${bucket}/${path}`, step };
}

const ACCOUNT = /^([a-z0-9]{3,24})(?:\.(?:blob|dfs)\.core\.windows\.net)?$/;
const CONTAINER = /^(?:[a-z0-9](?:-?[a-z0-9]){2,62}|\$root|\$web)$/;

/** `container@account.….core.windows.net/path`, or `account.….core.windows.net/container/path` (adlfs knows both). */
function azure(scheme: string, authority: string, key: string): BucketUrl {
  const at = authority.indexOf("@");
  const inHost = at < 0 && authority.endsWith(".core.windows.net");
  const container = at >= 0 ? authority.slice(0, at) : inHost ? (key.split("/")[0] ?? "") : authority;
  if (!CONTAINER.test(container)) return malformed("azure-container", container);
  if (at < 0 && !inHost) {
    return { kind: "refused", finding: finding("target-account-missing", WHOLE_SET, { scheme, container }) };
  }
  const host = at >= 0 ? authority.slice(at + 1) : authority;
  const account = ACCOUNT.exec(host)?.[1];
  if (account === undefined) return malformed("azure-account", host);
  const path = keyPath(inHost ? key.slice(container.length + 1) : key);
  if (path === undefined) return unspeakable(key);
  const url = `https://${account}.blob.core.windows.net/${container}/${path}`;
  return { kind: "url", url, step: `${scheme}://${authority}/… → public HTTPS address of the container` };
}

type Malformed = FactsOf<"target-malformed">;

const refused = (facts: Malformed): BucketUrl => ({
  kind: "refused",
  finding: finding("target-malformed", WHOLE_SET, facts),
});

const malformed = (problem: Extract<Malformed, { readonly name: string }>["problem"], name: string) =>
  refused({ problem, name });

const unspeakable = (key: string) => refused({ problem: "key", key });

/** A key as the path of a URL; `undefined` where a URL parser would change it all the same. */
export function keyPath(key: string): string | undefined {
  const isChanged = key.split("/").some((part) => part === "." || part === "..");
  return isChanged ? undefined : encodedPath(key);
}
