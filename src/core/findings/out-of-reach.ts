/**
 * Findings that tell of chunks which were not read: no source answered, or Refscope has no decoder. What they hold is
 * unknown.
 */
import type { Code } from "./catalogue/index.ts";
import type { Finding } from "./fact.ts";

/** It was looked for at its place, and is not there; or it has no place. */
// oxfmt-ignore
const ABSENT: ReadonlySet<string> = new Set([
  "target-missing", "target-gone", "target-relative", "target-is-local", "file-not-given", "native-object-missing",
  "zip-member-missing", "target-malformed", "target-has-template", "target-data-malformed", "url-invalid",
  "url-placeholder",
] satisfies Code[]);

/** It could not be asked, or did not answer: it may be there. */
// oxfmt-ignore
const UNASKED: ReadonlySet<string> = new Set([
  "offline", "host-unreachable", "timeout", "connection-dropped", "cors-missing", "unreachable-undecided",
  "redirects-too-many", "redirect-to-private", "not-relayed", "credential-invalid", "file-unreadable",
  "link-leads-out", "target-null", "target-archive-unnamed", "target-scheme-unsupported", "target-account-missing",
  "target-chained", "target-ambiguous", "target-private-address", "target-has-credentials", "chunk-denied",
  "http-status",
] satisfies Code[]);

/** `undefined` where bytes came, or nothing was to be asked. */
export function outOfReach({ code, facts }: Pick<Finding, "code" | "facts">): "absent" | "unasked" | undefined {
  if (ABSENT.has(code) || facts["isGone"] === true) return "absent";
  if (!UNASKED.has(code)) return undefined;
  return facts["status"] === 404 || facts["status"] === 410 ? "absent" : "unasked";
}

// oxfmt-ignore
const WITHOUT_ARRAY: ReadonlySet<string> = new Set([
  "hdf5-elsewhere", "hdf5-filter-unknown", "hdf5-type-unread", "hdf5-external-link", "grib-points-unknown",
] satisfies Code[]);

/** No reference can stand for what it is about: a dataset of a data file, a GRIB message. */
export const isLeftOut = ({ code }: Pick<Finding, "code">): boolean => WITHOUT_ARRAY.has(code);

/**
 * Codes of things that Refscope itself cannot read, met when a chunk is decoded: no fault of the set, which is then
 * unknown.
 */
const UNBUILT: ReadonlySet<string> = new Set([
  "codec-unavailable",
  "dtype-unread",
  "grib-bitmap-unsupported",
  "grib-grid-unsupported",
  "grib-packing-unsupported",
]);

/** A codec by a name that nothing has may be a slip of the metadata: only one that is known counts. */
export function isUnbuilt({ code, facts }: Pick<Finding, "code" | "facts">): boolean {
  return UNBUILT.has(code) || (code === "codec-unknown" && facts["words"] !== undefined);
}
