/** Schemes that fsspec and its packages know, and slips of the pen in them. */
import { editDistance } from "../words/near-name.ts";

/** Those that references are read from, the likelier first: what a slip was probably meant to be. */
const LIKELY = ["https", "http", "s3", "gs", "gcs", "abfs", "abfss", "az", "s3a", "file", "ftp", "sftp", "hdfs"];

/** Schemes of fsspec's registry, of packages that register themselves, and of browsers and Icechunk. */
const KNOWN = new Set([
  ...LIKELY,
  ...[
    "abfss adl adlfs arrow_hdfs asynclocal asyncwrapper b2 blockcache box cached dask data dbfs dir doi dropbox dvc",
    "filecache gdrive generic gist git github hf http+unix ipfs ipns jfs jlab jupyter lakefs libarchive local memory",
    "msgraph obs obstore oci ocilake odp onedrive osf oss pelican osdf pyscript r2 ray redivis reference root s3s",
    "s3-anon sharepoint simplecache smb ssh synapse tar tos tosfs vcc vercel viking wandb wasb wasbs webdav webhdfs",
    "xrootd zenodo zip blob earthdata ftps dav davs swift cos cosn minio rclone stash",
  ].flatMap((line) => line.split(" ")),
]);

/**
 * `slashes`: the colon or slashes behind it. `unknown`: nobody knows it. `case`: it has capitals. `host`: nothing
 * stands behind the slashes.
 */
export type SchemeSlip =
  | { readonly problem: "slashes" | "host" | "case"; readonly scheme: string; readonly meant: string }
  | { readonly problem: "unknown"; readonly scheme: string; readonly meant: string | undefined };

const CLOUD = "https?|s3[an]?|gs|gcs|abfss?|az|wasbs?|ftp";
/** Something is lacking or too much between the scheme and the host. */
const SLASHES = new RegExp(`^(${CLOUD})(?::/(?!/)|//|:(?![/:])|;//|:\\\\|\\.//|:/{3,}(?=[^/]))`, "i");
const TWICE = new RegExp(`^(${CLOUD})://(?:${CLOUD}):?//`, "i");

export function schemeSlip(target: string): SchemeSlip | undefined {
  const twice = TWICE.exec(target)?.[1];
  if (twice !== undefined) return { problem: "slashes", scheme: twice, meant: `${twice}://` };
  const slashed = SLASHES.exec(target)?.[1];
  if (slashed !== undefined) return { problem: "slashes", scheme: slashed, meant: `${slashed}://` };
  const [, scheme, host] = /^([a-z][a-z0-9+._-]*):\/\/([^/?#]*)/i.exec(target) ?? [];
  if (scheme === undefined) return undefined;
  const name = scheme.toLowerCase();
  if (KNOWN.has(name)) {
    // fsspec looks schemes up as they are written: none of its own has capitals.
    if (scheme !== name) return { problem: "case", scheme, meant: `${name}://` };
    const lacksHost = host === "" && new RegExp(`^(?:${CLOUD})$`).test(name);
    return lacksHost ? { problem: "host", scheme, meant: `${name}://` } : undefined;
  }
  const near = LIKELY.map((one) => ({ one, edits: editDistance(name, one, 2) })).toSorted(
    (a, b) => a.edits - b.edits,
  )[0];
  const allowed = name.length <= 3 ? 1 : 2;
  return {
    problem: "unknown",
    scheme,
    meant: near !== undefined && near.edits <= allowed ? `${near.one}://` : undefined,
  };
}
