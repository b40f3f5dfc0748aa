/** Cost of reading the slice, or a series through it, for each reader, and with other chunks. */
import { useState } from "react";
import { advisedShape, type ChunkShape, otherWay } from "#core/plane/other-chunks.ts";
import { type ReaderCost, type ReadingProspect, secondsOf } from "#core/readers/reading-cost.ts";
import { useEngine } from "#store/react.tsx";
import { Button } from "#widgets/controls/Button.tsx";
import { Dialog } from "#widgets/controls/Dialog.tsx";
import { Segmented } from "#widgets/controls/Segmented.tsx";
import { dimensionName } from "#widgets/zarr-words.ts";
import { Unanswered } from "#widgets/notes/Notices.tsx";
import { countOf, formatBytes, formatCount, formatDuration, formatShape } from "#widgets/number-format.ts";
import type { SmallColumn } from "#widgets/small-table/model.ts";
import { SmallTable } from "#widgets/small-table/SmallTable.tsx";
import styles from "./CostDialog.module.css";
import { useShown } from "./shown-array.ts";
import { FREE_READING } from "#core/plane/plane-budget.ts";
import type { PlaneCost } from "#core/plane/plane.ts";
import { percent } from "#core/words.ts";

/** `series`: it begins with the series along the dimension that has the scale. */
export function CostButton({ series = false }: { readonly series?: boolean }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button title="What reading this costs, by reader and by chunk shape" onClick={() => setOpen(true)}>
        Cost…
      </Button>
      {isOpen ? <CostDialog series={series} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function CostDialog({ series, onClose }: { readonly series: boolean; readonly onClose: () => void }) {
  const { set, node, plane, request, through } = useShown();
  const [isSeries, setSeries] = useState(series);
  const names = (dimensions: Dimensions) => namesOf(node.dimensionNames, dimensions);
  const isAlong = isSeries && through !== undefined;
  const asked = isAlong ? { row: undefined, column: through, at: plane.at } : plane;
  const answer = useEngine("plane.prospect", { set: set.id, array: node.path, plane: asked });
  const { data } = answer;
  const what = isAlong ? "series" : "slice";
  const across = otherWay(asked, request.shape);
  const other = across && `${isAlong ? "slice" : "series along"} ${names([across.row, across.column])}`;
  return (
    <Dialog title={`What reading ${node.name} costs`} onClose={onClose} size="wide">
      <div className="grid leading gap-10 tabular">
        {through === undefined ? null : (
          <Segmented
            label="Read"
            value={isAlong ? "series" : "slice"}
            options={[
              { value: "slice", text: `Slice ${names([plane.row, plane.column])}` },
              { value: "series", text: `Series along ${names([through])}` },
            ]}
            onValue={(value) => setSeries(value === "series")}
          />
        )}
        {data === undefined ? (
          <Unanswered answer={answer} label="Looking up references" />
        ) : (
          <>
            <p>{prospectText(data, what)}</p>
            <SmallTable label="By reader" columns={readerColumns(data)} rows={data.readers} />
            <p className={styles.note}>{paceText(data)}</p>
            <p>{adviceText(data.shapes, what, other)}</p>
            {data.shapes.length < 2 ? null : (
              <SmallTable label="By chunk shape" columns={shapeColumns(data.shapes, what, other)} rows={data.shapes} />
            )}
          </>
        )}
      </div>
    </Dialog>
  );
}

type Dimensions = readonly (number | undefined)[];

const namesOf = (names: readonly (string | undefined)[] | undefined, dimensions: Dimensions): string =>
  dimensions.flatMap((each) => (each === undefined ? [] : [dimensionName(names, each)])).join(" × ");

const readerColumns = ({ stored, pace }: ReadingProspect): readonly SmallColumn<ReaderCost>[] => [
  {
    id: "reader",
    header: "Reader",
    names: true,
    room: "wrap",
    value: ({ rule }) => rule.reader,
    cell: ({ rule }) => (
      <>
        {rule.reader}
        <small className={styles.how}>{rule.how}</small>
      </>
    ),
  },
  { id: "requests", header: "Requests", numeric: true, value: ({ requests }) => requests },
  {
    id: "bytes",
    header: "Bytes",
    numeric: true,
    value: ({ bytes }) => (stored === undefined ? undefined : bytes),
    cell: ({ bytes }) => (stored === undefined ? "not known" : formatBytes(bytes)),
  },
  {
    id: "over-read",
    header: "Over-read",
    numeric: true,
    value: ({ overRead }) => overRead,
    cell: ({ overRead }) => (overRead === 0 ? "–" : formatBytes(overRead)),
  },
  {
    id: "merged",
    header: "Merged ranges",
    numeric: true,
    rank: 1,
    value: ({ merged }) => merged,
    cell: ({ merged }) => (merged === 0 ? "–" : formatCount(merged)),
  },
  {
    id: "time",
    header: "Time",
    numeric: true,
    value: (cost) => (pace === undefined ? undefined : secondsOf(cost, pace)),
    cell: (cost) => (pace === undefined ? "–" : formatDuration(secondsOf(cost, pace) * 1000)),
  },
];

type ShapeCost = ReadingProspect["shapes"][number];

const shapeColumns = (
  [now]: readonly ShapeCost[],
  what: string,
  other: string | undefined,
): readonly SmallColumn<ShapeCost>[] => [
  {
    id: "chunks",
    header: "Chunks",
    names: true,
    value: ({ chunks }) => formatShape(chunks),
    cell: (shape) => `${formatShape(shape.chunks)}${shape === now ? " (now)" : ""}`,
  },
  { id: "each", header: "Each", numeric: true, value: ({ bytes }) => bytes, cell: ({ bytes }) => formatBytes(bytes) },
  {
    id: "reads",
    header: `This ${what} reads`,
    numeric: true,
    value: ({ reads }) => reads,
    cell: ({ reads }) => countOf(reads, "chunk"),
  },
  {
    id: "bytes",
    header: "In bytes",
    numeric: true,
    value: ({ bytes, reads }) => bytes * reads,
    cell: ({ bytes, reads }) => formatBytes(bytes * reads),
  },
  ...(other === undefined
    ? []
    : [
        {
          id: "across",
          header: `A ${other} reads`,
          numeric: true,
          value: ({ across }: ShapeCost) => across,
          cell: ({ across }: ShapeCost) => (across === undefined ? "–" : countOf(across, "chunk")),
        },
      ]),
];

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
function prospectText(prospect: ReadingProspect, what: What): string {
  const { chunks, seen, ofUnknownLength, stored, elements } = prospect;
  const size = stored === undefined ? "of unknown length" : formatBytes(Math.round(stored));
  const share = percent(elements.wanted / elements.read);
  return [
    `${countOf(chunks, "chunk")}, ${size}; the ${what} uses ${share} of their values.`,
    ...(seen < chunks ? [`${formatCount(seen)} were looked up; the others are counted like them.`] : []),
    ...(ofUnknownLength > 0 && stored !== undefined
      ? [`Nothing says how long ${formatCount(ofUnknownLength)} are; they are counted like the others.`]
      : []),
  ].join(" ");
}

function paceText({ pace, host }: ReadingProspect): string {
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
function adviceText(shapes: readonly ChunkShape[], what: What, other = ""): string {
  const [now] = shapes;
  const advised = advisedShape(shapes);
  if (now === undefined) return "";
  const reads = `This ${what} reads ${countOf(now.reads, "chunk")} of ${formatBytes(now.bytes)}`;
  if (advised === undefined) return `${reads}; chunks of another shape would hardly read fewer.`;
  const { chunks, bytes, across } = advised;
  const price =
    across === now.across ? `still read ${across}` : `read ${formatCount(across ?? 0)} instead of ${now.across}`;
  const rest = across === undefined ? "" : `; a ${other} would ${price}`;
  const each = `${formatBytes(bytes)} each if they compress as now`;
  return `${reads}. In chunks of ${formatShape(chunks)} (${each}) it would read ${countOf(advised.reads, "chunk")}${rest}.`;
}
