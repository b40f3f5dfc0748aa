/** Tells if the target of a virtual chunk is still the file that the reference was written for. */
import type { RequestReport } from "#core/byte-source.ts";
import { finding, type Finding, targetAt } from "#core/findings/finding.ts";
import type { Checksum } from "#formats/icechunk/references.ts";

/**
 * Times have whole seconds; a target that is older than recorded has not changed since, as with the condition
 * If-Unmodified-Since that the official reader sends. It compares nothing itself: where a server does not heed
 * conditions, it reads a changed target without a word (measured, icechunk 2.2.2).
 */
export function stalenessOf(checksum: Checksum | undefined, request: RequestReport): readonly Finding[] {
  // A finding about the array reports missing checksums once, when its references are read.
  if (checksum === undefined) return [];
  if (checksum.kind === "etag") return etagFindings(checksum.etag, request);
  const place = targetAt(request.url);
  const now = Date.parse(request.lastModified ?? "");
  const recorded = checksum.time;
  if (Number.isNaN(now)) return [finding("icechunk-checksum-not-compared", place, { by: "time", recorded })];
  if (Math.floor(now / 1000) <= checksum.seconds) return [];
  const facts = { by: "time", recorded, now: new Date(now).toISOString() } as const;
  return [finding("icechunk-target-changed", place, facts)];
}

/**
 * Quotes do not count: the official reader sends the recorded tag without them. The condition If-Match compares strongly
 * (RFC 9110, section 13.1.1), and is never true for weak tags.
 */
function etagFindings(recorded: string, { etag: now, url }: RequestReport): readonly Finding[] {
  const place = targetAt(url);
  if (now === undefined) return [finding("icechunk-checksum-not-compared", place, { by: "etag", recorded })];
  if (bareTag(now) !== bareTag(recorded)) {
    return [finding("icechunk-target-changed", place, { by: "etag", recorded, now })];
  }
  return recorded.startsWith("W/") ? [finding("icechunk-etag-weak", place, { etag: recorded })] : [];
}

const bareTag = (etag: string): string => etag.replace(/^W\//, "").replace(/^"(.*)"$/s, "$1");
