/** Names of buckets, accounts and regions in addresses of object stores, and whether they can be. */
import { editDistance } from "../words/near-name.ts";

export interface StoreAddress {
  readonly store: "s3" | "gcs" | "azure";
  readonly bucket: string;
  readonly region?: string;
}

const AWS =
  /^(?:(.+)\.)?s3(?:[.-](?:accelerate|website|fips|dualstack))*(?:[.-]([a-z0-9-]+))?\.amazonaws\.com(?:\.cn)?(?::\d+)?$/i;

/** Bucket that an address names, either by a scheme or as the object store's web address. */
export function storeAddress(scheme: string, host: string, path: string): StoreAddress | undefined {
  const first = path.split("/")[1] ?? "";
  switch (scheme.toLowerCase()) {
    case "s3":
    case "s3a":
    case "s3n":
      return { store: "s3", bucket: host };
    case "gs":
    case "gcs":
      return { store: "gcs", bucket: host };
    case "http":
    case "https":
      return webAddress(host, first);
    default:
      return undefined;
  }
}

function webAddress(host: string, first: string): StoreAddress | undefined {
  const aws = AWS.exec(host);
  if (aws !== null) {
    const region = aws[2]?.toLowerCase();
    return { store: "s3", bucket: aws[1] ?? first, ...(region === undefined ? {} : { region }) };
  }
  if (/^storage\.(?:googleapis|cloud\.google)\.com$/i.test(host)) return { store: "gcs", bucket: first };
  const gcs = /^(.+)\.storage\.googleapis\.com$/i.exec(host)?.[1];
  return gcs === undefined ? undefined : { store: "gcs", bucket: gcs };
}

export type BucketRule = "length" | "upper-case" | "underscore" | "character" | "edge" | "dots" | "address";

/** Which rule for the names of buckets it breaks; S3 and Google Cloud Storage agree but for underscores. */
export function brokenBucketRule({ store, bucket }: StoreAddress): BucketRule | undefined {
  // An access point, a tenant of Ceph.
  if (store === "azure" || bucket.includes(":")) return undefined;
  if (/[A-Z]/.test(bucket)) return "upper-case";
  if (store === "s3" && bucket.includes("_")) return "underscore";
  if (/[^a-z0-9._-]/.test(bucket)) return "character";
  if (bucket.length < 3 || bucket.length > (store === "gcs" && bucket.includes(".") ? 222 : 63)) return "length";
  if (/^[^a-z0-9]|[^a-z0-9]$/.test(bucket)) return "edge";
  if (bucket.includes("..")) return "dots";
  return /^\d+\.\d+\.\d+\.\d+$/.test(bucket) ? "address" : undefined;
}

/** AWS, November 2025. */
const REGIONS = [
  "us-east-1 us-east-2 us-west-1 us-west-2 us-gov-east-1 us-gov-west-1 ca-central-1 ca-west-1 mx-central-1",
  "sa-east-1 eu-central-1 eu-central-2 eu-west-1 eu-west-2 eu-west-3 eu-north-1 eu-south-1 eu-south-2",
  "ap-east-1 ap-east-2 ap-northeast-1 ap-northeast-2 ap-northeast-3 ap-south-1 ap-south-2 ap-southeast-1",
  "ap-southeast-2 ap-southeast-3 ap-southeast-4 ap-southeast-5 ap-southeast-6 ap-southeast-7",
  "me-south-1 me-central-1 il-central-1 af-south-1 cn-north-1 cn-northwest-1 eusc-de-east-1 external-1",
].flatMap((line) => line.split(" "));
/** Names of regions as all so far; another may have been added since. */
const REGION_LIKE =
  /^[a-z]{2,4}(?:-(?:gov|iso[a-z]?|[a-z]{2}))?-(?:north|south|east|west|central|(?:north|south)(?:east|west))-\d$/;

/** With another word in it than any has so far. */
const REGION_FORM = /^[a-z]{2,4}(?:-[a-z]+)+-\d{1,2}$/;
const NUMBER = /-?\d+$/;

export interface RegionSlip {
  readonly region: string;
  readonly meant: string | undefined;
  /** It could be one that is newer than this list. */
  readonly isPossible: boolean;
}

/** Region that a name probably means; a name that differs only in its numbers may also be a new region. */
export function regionSlip(region: string): RegionSlip | undefined {
  if (REGIONS.includes(region)) return undefined;
  const edits = REGIONS.map((one) => ({ one, edits: editDistance(region, one, 2) }));
  const [near] = edits.toSorted((a, b) => a.edits - b.edits);
  const isNumber = REGIONS.some((one) => one.replace(NUMBER, "") === region.replace(NUMBER, ""));
  const isNew = isNumber && REGION_LIKE.test(region);
  const meant = near !== undefined && near.edits <= 2 && !isNew ? near.one : undefined;
  const isPossible = REGION_LIKE.test(region) || (REGION_FORM.test(region) && meant === undefined);
  return { region, meant, isPossible };
}
