/** What reading a plane takes, in words. */
import { FREE_READING } from "../../core/plane/plane-budget.ts";
import type { PlaneCost } from "../../core/plane/plane.ts";
import { countOf, formatBytes, formatCount } from "../../widgets/number-format.ts";

/** "1,440 chunks of 2 files: 96 requests, 410 MB". */
export function costText({
  chunks,
  kept,
  missing,
  unknown,
  requests,
  bytes,
  ofUnknownLength,
  targets,
}: PlaneCost): string {
  const rest = chunks - kept - missing;
  const parts = [
    countOf(requests, "request"),
    ...(bytes > 0 || ofUnknownLength === 0 ? [formatBytes(bytes)] : []),
    ...(ofUnknownLength > 0 ? [`${formatCount(ofUnknownLength)} of unknown length`] : []),
    ...(unknown > 0 ? [`plus ${countOf(unknown, "chunk")} with references not read yet`] : []),
  ];
  return `${countOf(rest, "chunk")} of ${countOf(targets, "file")}: ${parts.join(", ")}`;
}

/** The least n so that every n-th chunk down and across is free to read; at least 2. */
export function freeStride({ requests, unknown, bytes }: PlaneCost): number {
  const share = Math.max((requests + unknown) / FREE_READING.requests, bytes / FREE_READING.bytes, 1);
  return Math.max(2, Math.ceil(Math.sqrt(share)));
}
