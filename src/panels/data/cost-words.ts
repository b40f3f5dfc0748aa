/** Words for the cost of reading a plane. */
import { FREE_READING } from "#core/plane/plane-budget.ts";
import { advisedShape, type ChunkShape } from "#core/plane/other-chunks.ts";
import type { PlaneCost } from "#core/plane/plane.ts";
import type { ReadingProspect } from "#core/readers/reading-cost.ts";
import { countOf, formatBytes, formatCount, formatDuration, formatShape } from "#widgets/number-format.ts";
import { percent } from "#core/words.ts";

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
export function prospectText(prospect: ReadingProspect, what: What): string {
  const { chunks, seen, ofUnknownLength, stored, elements } = prospect;
  const size = stored === undefined ? "of unknown length" : formatBytes(Math.round(stored));
  const share = percent(elements.wanted / elements.read);
  return [
    `${countOf(chunks, "chunk")}, ${size}: the ${what} takes ${share} of the values in them.`,
    ...(seen < chunks ? [`${formatCount(seen)} were looked up; the others are counted like them.`] : []),
    ...(ofUnknownLength > 0 && stored !== undefined
      ? [`Nothing says how long ${formatCount(ofUnknownLength)} are; they are counted like the others.`]
      : []),
  ].join(" ");
}

export function paceText({ pace, host }: ReadingProspect): string {
  const counts =
    "Metadata and decoding are not counted. Counts for zarr-python and zarrita were compared with recorded requests; those for Icechunk and GDAL follow their source code.";
  if (pace === undefined) return `Time is not measured yet: nothing has come from ${host ?? "a host"}. ${counts}`;
  const { latency, bytesPerSecond, requests } = pace;
  const speed =
    bytesPerSecond === undefined
      ? ", and too few bytes to tell how fast they come: time is waiting alone"
      : ` and ${formatBytes(Math.round(bytesPerSecond))}/s`;
  const measured = `Measured by ${countOf(requests, "request")} of this page to ${pace.host}`;
  return `${measured}: ${formatDuration(latency)} to the first byte${speed}. ${counts}`;
}

/** `other`: what is read the other way, "slice lat × lon". */
export function adviceText(shapes: readonly ChunkShape[], what: What, other = ""): string {
  const [now] = shapes;
  const advised = advisedShape(shapes);
  if (now === undefined) return "";
  const reads = `This ${what} reads ${countOf(now.reads, "chunk")} of ${formatBytes(now.bytes)}`;
  if (advised === undefined) return `${reads}; chunks of another shape would hardly read fewer.`;
  const { chunks, bytes, across } = advised;
  const price = across === now.across ? `still ${across}` : `${formatCount(across ?? 0)} instead of ${now.across}`;
  const rest = across === undefined ? "" : `, and a ${other} ${price}`;
  const each = `${formatBytes(bytes)} each if they compress as now`;
  return `${reads}. In chunks of ${formatShape(chunks)} (${each}) it would read ${formatCount(advised.reads)}${rest}.`;
}
