/** Objects of S3 as a profile of AWS's own files reads them: its keys, its region, its endpoint. */
import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { type AwsKeys, awsDate, EMPTY_HASH, encoded, signedHeaders } from "./aws-signature.ts";
import type { Wish } from "./upstream.ts";

export interface S3 {
  /** Signed, for `s3://BUCKET/KEY`: parts of the key are percent-encoded. */
  readonly request: (address: string, wish: Wish) => { readonly url: URL; readonly headers: Record<string, string> };
  /** Notes where the bucket is, by S3's own word: whether it is to be asked again. */
  readonly isElsewhere: (address: string, region: unknown) => boolean;
}

export interface AwsProfile {
  readonly keys: AwsKeys;
  readonly region: string;
  /** Instead of AWS's own. */
  readonly endpoint: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Throws where the profile has no keys. */
export async function awsProfile(name: string, environment: Environment = process.env): Promise<AwsProfile> {
  const folder = join(environment["HOME"] ?? homedir(), ".aws");
  const at = (variable: string, file: string) => environment[variable] ?? join(folder, file);
  const [credentials, config] = await Promise.all([
    sectionsOf(at("AWS_SHARED_CREDENTIALS_FILE", "credentials")),
    sectionsOf(at("AWS_CONFIG_FILE", "config")),
  ]);
  const known = new Map([
    ...(config.get(name === "default" ? name : `profile ${name}`) ?? []),
    ...(credentials.get(name) ?? []),
  ]);
  const isInFile = known.has("aws_access_key_id");
  const keyOf = (name: string) => (isInFile ? known.get(name) : environment[name.toUpperCase()]);
  const [id, secret] = [keyOf("aws_access_key_id"), keyOf("aws_secret_access_key")];
  if (id === undefined || secret === undefined) {
    const how = `aws configure export-credentials --profile ${name} --format env`;
    throw new Error(
      `The AWS profile “${name}” has no access key in ${folder}, and AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set. For roles and single sign-on, set what “${how}” prints.`,
    );
  }
  const { AWS_REGION, AWS_DEFAULT_REGION, AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL } = environment;
  return {
    keys: { id, secret, session: keyOf("aws_session_token") },
    region: AWS_REGION ?? AWS_DEFAULT_REGION ?? known.get("region") ?? "us-east-1",
    endpoint: AWS_ENDPOINT_URL_S3 ?? AWS_ENDPOINT_URL ?? known.get("endpoint_url"),
  };
}

/** `[name]` and `key = value`; what is indented belongs to a key of its own. */
async function sectionsOf(path: string): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>> {
  const text = await readFile(path, "utf8").catch(() => "");
  const sections = new Map<string, Map<string, string>>();
  let section: Map<string, string> | undefined;
  for (const line of text.split(/\r?\n/)) {
    const name = /^\[\s*([^\]]+?)\s*\]/.exec(line)?.[1];
    const [, key, value] = /^([\w-]+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (name !== undefined) sections.set(name, (section = new Map()));
    else if (key !== undefined && value !== undefined && value !== "") section?.set(key.toLowerCase(), value);
  }
  return sections;
}

/** The bucket's name in the host's, where it fits into one label of AWS's certificate. */
const LABEL = /^[a-z0-9-]{3,63}$/;

export function s3By({ keys, region, endpoint }: AwsProfile, requesterPays: boolean): S3 {
  const regions = new Map<string, string>();
  return {
    request(address, { method, range }) {
      const [, bucket = "", written = ""] = /^s3:\/\/([^/]+)\/(.*)$/s.exec(address) ?? [];
      const there = regions.get(bucket) ?? region;
      const key = written.split("/").map((part) => encoded(decodeURIComponent(part)));
      const host = `https://s3.${there}.amazonaws.com${there.startsWith("cn-") ? ".cn" : ""}`;
      const base =
        endpoint === undefined && LABEL.test(bucket)
          ? host.replace("://", `://${bucket}.`)
          : `${endpoint ?? host}/${bucket}`;
      const url = new URL(`${base}/${key.join("/")}`);
      const headers = {
        ...(range === undefined ? {} : { range }),
        ...(requesterPays ? { "x-amz-request-payer": "requester" } : {}),
        "x-amz-content-sha256": EMPTY_HASH,
      };
      const date = awsDate(new Date());
      return { url, headers: signedHeaders({ method, url, headers, keys, region: there, service: "s3", date }) };
    },
    isElsewhere(address, said) {
      const bucket = /^s3:\/\/([^/]+)/.exec(address)?.[1] ?? "";
      if (typeof said !== "string" || !/^[a-z0-9-]{2,40}$/.test(said) || said === (regions.get(bucket) ?? region))
        return false;
      regions.set(bucket, said);
      return endpoint === undefined;
    },
  };
}
