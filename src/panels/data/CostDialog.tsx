/** What reading the slice, or a series through it, costs each reader, and what it would in other chunks. */
import { useState } from "react";
import { advisedShape, otherWay } from "../../core/plane/other-chunks.ts";
import { type ReadingProspect, secondsOf } from "../../core/readers/reading-cost.ts";
import { useEngine } from "../../store/react.tsx";
import { Button } from "../../widgets/controls/Button.tsx";
import { Dialog } from "../../widgets/controls/Dialog.tsx";
import { Segmented } from "../../widgets/controls/Segmented.tsx";
import { dimensionName } from "../../widgets/dimension-name.ts";
import { Unanswered } from "../../widgets/notes/Unanswered.tsx";
import { countOf, formatBytes, formatCount, formatDuration, formatShape } from "../../widgets/number-format.ts";
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
  const names = (dimensions: readonly (number | undefined)[]) =>
    dimensions.flatMap((each) => (each === undefined ? [] : [dimensionName(node.dimensionNames, each)])).join(" × ");
  const isAlong = isSeries && through !== undefined;
  const asked = isAlong ? { row: undefined, column: through, at: plane.at } : plane;
  const answer = useEngine("plane.prospect", { set: set.id, array: node.path, plane: asked });
  const { data } = answer;
  const what = isAlong ? "series" : "slice";
  const across = otherWay(asked, request.shape);
  return (
    <Dialog title={`What reading ${node.name} costs`} onClose={onClose} size="wide">
      <div className={styles.cost}>
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
            <Readers prospect={data} />
            <p className={styles.note}>{paceText(data)}</p>
            {data.shapes.length < 2 ? null : <h3>In other chunks</h3>}
            <p>{adviceText(data.shapes, advisedShape(data.shapes), what)}</p>
            {data.shapes.length < 2 ? null : (
              <Shapes shapes={data.shapes} what={what} across={across && names([across.row, across.column])} />
            )}
          </>
        )}
      </div>
    </Dialog>
  );
}

function Readers({ prospect: { readers, stored, pace } }: { readonly prospect: ReadingProspect }) {
  return (
    <table aria-label="By reader">
      <thead>
        <tr>
          <th scope="col">Reader</th>
          <th scope="col">Requests</th>
          <th scope="col">Bytes</th>
          <th scope="col" title="Bytes between chunks, read and dropped">
            Over-read
          </th>
          <th scope="col" title="Ranges that come in one request with others" data-narrow="no">
            Merged
          </th>
          <th scope="col">Time</th>
        </tr>
      </thead>
      <tbody>
        {readers.map((cost) => (
          <tr key={cost.rule.reader}>
            <th scope="row">
              {cost.rule.reader}
              <small>{cost.rule.how}</small>
            </th>
            <td>{formatCount(cost.requests)}</td>
            <td>{stored === undefined ? "not known" : formatBytes(cost.bytes)}</td>
            <td>{cost.overRead === 0 ? "–" : formatBytes(cost.overRead)}</td>
            <td data-narrow="no">{cost.merged === 0 ? "–" : formatCount(cost.merged)}</td>
            <td>{pace === undefined ? "–" : formatDuration(secondsOf(cost, pace) * 1000)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface ShapesProps {
  readonly shapes: ReadingProspect["shapes"];
  readonly what: string;
  /** The dimensions of the slice the other way. */
  readonly across: string | undefined;
}

function Shapes({ shapes, what, across }: ShapesProps) {
  return (
    <table aria-label="By chunk shape">
      <thead>
        <tr>
          <th scope="col">Chunks</th>
          <th scope="col">Each</th>
          <th scope="col">This {what} reads</th>
          <th scope="col">In bytes</th>
          {across === undefined ? null : <th scope="col">{across} reads</th>}
        </tr>
      </thead>
      <tbody>
        {shapes.map(({ kind, chunks, bytes, reads, readBytes, ...than }) => (
          <tr key={kind}>
            <th scope="row">
              {formatShape(chunks)}
              {kind === "current" ? " (now)" : ""}
            </th>
            <td>{formatBytes(Math.round(bytes))}</td>
            <td>{countOf(reads, "chunk")}</td>
            <td>{formatBytes(Math.round(readBytes))}</td>
            {than.across === undefined ? null : <td>{countOf(than.across, "chunk")}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
