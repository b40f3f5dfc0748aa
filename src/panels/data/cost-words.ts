/** What reading a plane takes, in words. */
import { FREE_READING } from "../../core/plane/plane-budget.ts";
import { advisedShape, type ChunkShape } from "../../core/plane/other-chunks.ts";
import type { PlaneCost } from "../../core/plane/plane.ts";
import type { ReadingProspect } from "../../core/readers/reading-cost.ts";
import { countOf, formatBytes, formatCount, formatDuration, formatShape } from "../../widgets/number-format.ts";
import { percent } from "../../core/words.ts";

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

type What = "slice" | "series";

/** "24 chunks, 12 MB: the series takes 0.1% of the values in them." */
export function prospectText({ chunks, seen, ofUnknownLength, stored, elements }: ReadingProspect, what: What): string {
  const size = stored === undefined ? "of unknown length" : formatBytes(Math.round(stored));
  const parts = [`${countOf(chunks, "chunk")}, ${size}: the ${what} takes ${percent(elements.wanted / elements.read)}`];
  const rest = [
    ...(seen < chunks ? [`References of ${formatCount(seen)} are known; the others are counted like them.`] : []),
    ...(ofUnknownLength > 0 && stored !== undefined
      ? [`Nobody says how long ${formatCount(ofUnknownLength)} are: they are counted like the others.`]
      : []),
  ];
  return [`${parts.join("")} of the values in them.`, ...rest].join(" ");
}

export function paceText({ pace, host }: ReadingProspect): string {
  const about = "Metadata and decoding are not included. Those of zarr-python and zarrita equal recorded requests, ";
  const source = "Icechunk and GDAL follow their source code.";
  if (pace === undefined)
    return `Time is not measured yet: nothing was read from ${host ?? "a host"}. ${about}${source}`;
  const { latency, bytesPerSecond, requests } = pace;
  const speed = bytesPerSecond === undefined ? "" : ` and ${formatBytes(Math.round(bytesPerSecond))}/s`;
  const line = `Time from ${countOf(requests, "request")} of this page to ${pace.host}: ${formatDuration(latency)}`;
  return `${line} to the first byte${speed}. ${about}${source}`;
}

export function adviceText(shapes: readonly ChunkShape[], what: What): string {
  const [now] = shapes;
  const advised = advisedShape(shapes);
  if (now === undefined) return "";
  const reads = `This ${what} reads ${countOf(now.reads, "chunk")} of ${formatBytes(now.bytes)}`;
  if (advised === undefined) return `${reads}; chunks of another shape would hardly read fewer.`;
  const { chunks, bytes } = advised;
  const same = `if they compress as now (${formatBytes(bytes)} each)`;
  return `${reads}. Chunks of ${formatShape(chunks)} would read ${formatCount(advised.reads)}, ${same}.`;
}
