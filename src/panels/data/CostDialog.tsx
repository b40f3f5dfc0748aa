/** What reading the slice, or a series through it, costs each reader, and what it would in other chunks. */
import { useState } from "react";
import { otherWay } from "../../core/plane/other-chunks.ts";
import { type ReadingProspect, secondsOf } from "../../core/readers/reading-cost.ts";
import { useEngine } from "../../store/react.tsx";
import { Button } from "../../widgets/controls/Button.tsx";
import { Dialog } from "../../widgets/controls/Dialog.tsx";
import { Segmented } from "../../widgets/controls/Segmented.tsx";
import { dimensionName } from "../../widgets/dimension-name.ts";
import { Unanswered } from "../../widgets/notes/Notices.tsx";
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
            <Numbers
              label="By reader"
              heads={READER_HEADS}
              rows={readerRows(data)}
              notes={data.readers.map(({ rule }) => rule.how)}
            />
            <p className="quiet fine">{paceText(data)}</p>
            <p>{adviceText(data.shapes, what, other)}</p>
            {data.shapes.length < 2 ? null : (
              <Numbers
                label="By chunk shape"
                heads={[
                  "Chunks",
                  "Each",
                  `This ${what} reads`,
                  "In bytes",
                  ...(other === undefined ? [] : [`A ${other} reads`]),
                ]}
                rows={shapeRows(data.shapes)}
              />
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

const READER_HEADS = ["Reader", "Requests", "Bytes", "Over-read", "Merged ranges", "Time"];

const readerRows = ({ readers, stored, pace }: ReadingProspect) =>
  readers.map((cost) => [
    cost.rule.reader,
    formatCount(cost.requests),
    stored === undefined ? "not known" : formatBytes(cost.bytes),
    cost.overRead === 0 ? "–" : formatBytes(cost.overRead),
    cost.merged === 0 ? "–" : formatCount(cost.merged),
    pace === undefined ? "–" : formatDuration(secondsOf(cost, pace) * 1000),
  ]);

const shapeRows = (shapes: ReadingProspect["shapes"]) =>
  shapes.map(({ chunks, bytes, reads, across }, at) => [
    `${formatShape(chunks)}${at === 0 ? " (now)" : ""}`,
    formatBytes(bytes),
    countOf(reads, "chunk"),
    formatBytes(bytes * reads),
    ...(across === undefined ? [] : [countOf(across, "chunk")]),
  ]);

interface NumbersProps {
  readonly label: string;
  readonly heads: readonly string[];
  /** What each is called, then its numbers. */
  readonly rows: readonly (readonly string[])[];
  /** Below what each row is called. */
  readonly notes?: readonly string[];
}

function Numbers({ label, heads, rows, notes }: NumbersProps) {
  return (
    <table aria-label={label}>
      <thead>
        <tr>
          {heads.map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, ...numbers], at) => (
          <tr key={name}>
            <th scope="row">
              {name}
              {notes === undefined ? null : <small>{notes[at]}</small>}
            </th>
            {numbers.map((number, each) => (
              <td key={heads[each + 1]}>{number}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
