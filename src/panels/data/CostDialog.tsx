/** Cost of reading the slice, or a series through it, for each reader, and with other chunks. */
import { useState } from "react";
import { otherWay } from "#core/plane/other-chunks.ts";
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
import { adviceText, paceText, prospectText } from "./cost-words.ts";
import { useShown } from "./shown-array.ts";

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
