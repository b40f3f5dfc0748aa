/** Addresses that are probably meant by one in which something is wrong. */
import { normalFolder, urlParts, withoutCaches } from "./url-parts.ts";
import { regionSlip, storeAddress } from "./bucket-names.ts";
import { schemeSlip } from "./schemes.ts";

/** The likeliest first; none where the address is as good as any. */
export function meantUrls(target: string): readonly string[] {
  const found = [withoutBlanks, withScheme, withRegion, decodedOnce, withoutHash, plainly].map((meant) =>
    meant(target),
  );
  return [...new Set(found.flatMap((one) => (one === undefined || one === target ? [] : [one])))];
}

const withoutBlanks = (target: string): string => target.trim();

function withScheme(target: string): string | undefined {
  const slip = schemeSlip(target);
  if (slip?.meant === undefined || slip.problem === "host") return undefined;
  const rest = target.replace(/^[a-z][a-z0-9+._-]*[:;./\\]*/i, "");
  // Written twice, the second goes too.
  return slip.meant + rest.replace(/^(?:https?|s3[an]?|gs|gcs):?\/\//i, "");
}

function withRegion(target: string): string | undefined {
  const { scheme = "", host, path } = urlParts(withoutCaches(target));
  const region = storeAddress(scheme, host, path)?.region;
  const meant = region === undefined ? undefined : regionSlip(region)?.meant;
  return region === undefined || meant === undefined
    ? undefined
    : target.replace(host, host.replace(new RegExp(`${region}(?=\\.amazonaws)`, "i"), meant));
}

/** `%2520` for `%20`. */
const decodedOnce = (target: string): string => target.replace(/%25(?=[0-9a-f]{2})/gi, "%");

/** A file's name with a `#`, which an address ends at. */
function withoutHash(target: string): string | undefined {
  const { scheme = "", rest } = urlParts(target);
  return /^https?$/i.test(scheme) && rest.includes("#") ? target.replaceAll("#", "%23") : undefined;
}

/** Without empty parts and `.` in its path. */
function plainly(target: string): string | undefined {
  const at = target.search(/[?#]/);
  const [bare, rest] = at < 0 ? [target, ""] : [target.slice(0, at), target.slice(at)];
  const folder = bare.slice(0, bare.lastIndexOf("/") + 1);
  return folder === "" ? undefined : normalFolder(folder) + bare.slice(folder.length) + rest;
}
