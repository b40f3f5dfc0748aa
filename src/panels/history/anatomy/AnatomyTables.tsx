/** Bytes over commits, and what a reader fetches before one chunk. */
import { useId, useMemo, useState } from "react";
import {
  type Anatomy,
  type ArrayReader,
  type ReaderAnatomy,
  type SnapshotAnatomy,
  storedBytes,
} from "#core/anatomy.ts";
import { splitSentence } from "#core/words/anatomy-words.ts";
import { Button } from "#widgets/controls/Button.tsx";
import { countOf, formatBytes } from "#widgets/number-format.ts";
import { LinePlot } from "#widgets/plot/LinePlot.tsx";
import { Section } from "#widgets/Section.tsx";
import type { SmallColumn } from "#widgets/small-table/model.ts";
import { SmallTable } from "#widgets/small-table/SmallTable.tsx";
import { messageLine, shortId } from "../history-words.ts";
import { pathText } from "./anatomy-cells.ts";
import { bytesColumn } from "./AnatomyParts.tsx";

function totalsOf(snapshots: readonly SnapshotAnatomy[]): Float64Array<ArrayBuffer> {
  const totals = new Float64Array(snapshots.length);
  for (const [at, { added }] of snapshots.entries()) totals[at] = (totals[at - 1] ?? 0) + storedBytes(added);
  return totals;
}

interface CommitWeightsProps {
  readonly anatomy: Anatomy;
  /** ISO. */
  readonly onBefore: (before: string) => void;
}

/** A plot of all that was stored up to each commit, and a table. */
export function CommitWeights({ anatomy: { snapshots }, onBefore }: CommitWeightsProps) {
  const id = useId();
  const [at, setAt] = useState(snapshots.length - 1);
  const [hovered, setHovered] = useState<number>();
  const totals = useMemo(() => totalsOf(snapshots), [snapshots]);
  const one = snapshots[hovered ?? at];
  const { time } = snapshots[at] ?? {};
  if (one === undefined) return null;
  return (
    <Section title="Size over commits" aside={countOf(snapshots.length, "snapshot")}>
      {snapshots.length < 2 ? null : (
        <LinePlot
          label="Bytes stored up to each commit, from the first to the latest"
          describedBy={id}
          values={totals}
          cursor={at}
          onCursor={setAt}
          onHover={setHovered}
          height={72}
        />
      )}
      <p id={id} className="wrap gap-8">
        <span>
          <b>{messageLine(one.message)}</b> {one.time?.slice(0, 16).replace("T", " ") ?? "time not recorded"}:{" "}
          {formatBytes(totals[hovered ?? at] ?? 0)} stored, {formatBytes(storedBytes(one.added))} of it new
        </span>
        {time === undefined ? null : (
          <Button title="Simulate expiring all snapshots before the chosen one" onClick={() => onBefore(time)}>
            Expire before this
          </Button>
        )}
      </p>
      <SmallTable
        label="Bytes by snapshot"
        columns={SNAPSHOTS}
        rows={useMemo(() => snapshots.toReversed(), [snapshots])}
        rowKey={(row) => row.id}
        look={(row) => ({ "data-chosen": row === one })}
        step={20}
        tall
      />
    </Section>
  );
}

const SNAPSHOTS: readonly SmallColumn<SnapshotAnatomy>[] = [
  {
    id: "message",
    header: "Commit",
    names: true,
    room: "rest",
    value: ({ message }) => message,
    cell: ({ message, refs }) => (
      <span title={message}>
        {messageLine(message)} {refs.length === 0 ? null : <span className="faint">{refs.join(", ")}</span>}
      </span>
    ),
  },
  {
    id: "id",
    header: "Snapshot",
    rank: 2,
    value: ({ id }) => id,
    cell: ({ id }) => <code title={id}>{shortId(id)}</code>,
  },
  { id: "time", header: "Time", rank: 1, value: ({ time }) => time?.slice(0, 19).replace("T", " ") },
  bytesColumn("added", "Files added", ({ added }) => storedBytes(added), "What no earlier snapshot had"),
  bytesColumn("unique", "Only here", ({ unique }) => storedBytes(unique), "Files that no other snapshot has"),
  bytesColumn("virtual", "Virtual added", ({ added }) => added.virtual, "Virtual bytes that no earlier snapshot had"),
];

export function ReaderTable({ reader }: { readonly reader: ReaderAnatomy }) {
  const { entry, snapshotBytes, arrays } = reader;
  const columns = useMemo(() => readerColumns(entry + snapshotBytes), [entry, snapshotBytes]);
  if (arrays.length === 0) return null;
  return (
    <Section title="Before the first chunk">
      <p className="quiet">
        A reader of this snapshot downloads branches and tags ({formatBytes(entry)}), the snapshot (
        {formatBytes(snapshotBytes)}) and one manifest before it can ask for a chunk.
      </p>
      <SmallTable label="Download before one chunk" columns={columns} rows={arrays} rowKey={pathText} tall />
    </Section>
  );
}

const readerColumns = (before: number): readonly SmallColumn<ArrayReader>[] => [
  { id: "array", header: "Array", names: true, value: pathText },
  bytesColumn("before", "At most", ({ most }) => before + most, "Bytes before one chunk, with the largest manifest"),
  { id: "manifests", header: "Manifests", numeric: true, value: ({ manifests }) => manifests },
  bytesColumn("all", "All manifests", ({ manifestBytes }) => manifestBytes, "Bytes of all manifests of the array"),
  { id: "split", header: "Better split (estimate)", room: "wrap", value: splitText },
];

const splitText = (array: ArrayReader): string =>
  array.better === undefined ? "as good as now" : splitSentence(array, formatBytes);
