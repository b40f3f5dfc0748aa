/** Whether the target of a virtual chunk is still the file that the reference was written for. */
import type { RequestReport } from "../../core/byte-source.ts";
import type { Finding } from "../../core/finding.ts";
import type { Checksum } from "../../formats/icechunk/references.ts";

const ADVICE =
  "The official reader asks on the condition that nothing has changed, and a server that heeds it refuses the chunk: write the virtual references anew, or bring the old file back.";

/**
 * Times have whole seconds; a target that is older than recorded has not changed since, as with the condition
 * If-Unmodified-Since that the official reader sends. It compares nothing itself: where a server does not heed
 * conditions, it reads a changed target without a word (measured, icechunk 2.2.2).
 */
export function stalenessOf(checksum: Checksum | undefined, request: RequestReport): readonly Finding[] {
  // Said once for the array, when its references are read.
  if (checksum === undefined) return [];
  if (checksum.kind === "etag") return etagFindings(checksum.etag, request);
  const now = Date.parse(request.lastModified ?? "");
  if (Number.isNaN(now)) return [notCompared(`the time ${checksum.time}`)];
  if (Math.floor(now / 1000) <= checksum.seconds) return [];
  const found = new Date(now).toISOString();
  return [
    {
      code: "icechunk-target-changed",
      severity: "error",
      target: request.url,
      message: `The target was changed on ${found}, after ${checksum.time}, the time that the reference recorded for it: its bytes may be others now.`,
      advice: ADVICE,
    },
  ];
}

/** Quotes do not count: the official reader sends the recorded tag without them. */
function etagFindings(recorded: string, { etag, url }: RequestReport): readonly Finding[] {
  if (etag === undefined) return [notCompared(`the ETag ${recorded}`)];
  if (bareTag(etag) === bareTag(recorded)) return isWeak(recorded) ? [weakTag(recorded, url)] : [];
  const message = `The target has the ETag ${etag} now, where the reference recorded ${recorded}: its bytes may be others.`;
  return [{ code: "icechunk-target-changed", severity: "error", target: url, message, advice: ADVICE }];
}

const bareTag = (etag: string): string => etag.replace(/^W\//, "").replace(/^"(.*)"$/s, "$1");

const isWeak = (etag: string): boolean => etag.startsWith("W/");

/** The condition If-Match compares strongly (RFC 9110, section 13.1.1). */
function weakTag(recorded: string, url: string): Finding {
  return {
    code: "icechunk-etag-weak",
    severity: "warning",
    target: url,
    message: `The target still has the ETag ${recorded} that the reference recorded; but this tag is weak, and the condition If-Match that the official reader sends is never true of weak tags: a server that heeds it refuses the chunk.`,
    advice: "Write the virtual references anew, with the time of the last change in place of the ETag.",
  };
}

function notCompared(recorded: string): Finding {
  return {
    code: "icechunk-checksum-not-compared",
    severity: "info",
    message: `The reference records ${recorded} of its target, which the answer does not tell here: whether it has changed is not known.`,
    advice: "The official reader compares it, and refuses the chunk where it differs.",
  };
}
