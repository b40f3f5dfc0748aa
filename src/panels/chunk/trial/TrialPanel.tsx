import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { ByteRange } from "#core/byte-source.ts";
import type { CodecDescription } from "#core/check/lab.ts";
import type { Slice } from "#core/open-set.ts";
import type { Reading, Statistics } from "#core/reading.ts";
import { useEngine } from "#store/react.tsx";
import { Choice } from "#widgets/controls/Segmented.tsx";
import { ErrorNotice } from "#widgets/notes/Notices.tsx";
import { Stepper } from "#widgets/controls/Stepper.tsx";
import { paintValues, thinned } from "#widgets/cell-map/paint-values.ts";
import { firstPlane } from "#widgets/cell-map/plane.ts";
import { putPixels } from "#widgets/cell-map/tile.ts";
import { colormapTable } from "#widgets/values/colormap.ts";
import { lineShape } from "#widgets/plot/plot-shape.ts";
import { shortNumber } from "#core/values/number-text.ts";
import { formatCount } from "#widgets/number-format.ts";
import { Button, CopyButton } from "#widgets/controls/Button.tsx";
import { RepairButtons } from "./RepairButtons.tsx";
import styles from "./TrialPanel.module.css";
import { TrialSteps } from "./TrialSteps.tsx";
import { rangeOf, writtenReference } from "../curl-command.ts";
import { figuresOf, figureText } from "../values/StatisticsPart.tsx";
import { mapSpec } from "../shown-dimensions.ts";
import { headTexts } from "../stage-words.ts";
import { insertedStep, stageOfStep, trialWords } from "./trial-draft.ts";
import type { DeclaredCodec, DraftByteOrder, TrialDraft } from "./trial-draft.ts";
import type { Lab } from "../use-lab.ts";
import { valueTabs } from "../tabs.ts";

export interface TrialPanelProps {
  readonly lab: Lab;
  /** The reading that is shown. */
  readonly reading: Reading;
  readonly selected: number | undefined;
  readonly onSelect: (stage: number) => void;
}

const BYTE_ORDERS: readonly { readonly value: DraftByteOrder; readonly text: string }[] = [
  { value: "declared", text: "as declared" },
  { value: "little", text: "little-endian" },
  { value: "big", text: "big-endian" },
];

const NO_REQUEST = {};
const NO_CODECS: readonly CodecDescription[] = [];

/** The trial: the chain and the range as they can be changed, and the result beside the original. */
export function TrialPanel(props: TrialPanelProps) {
  const { lab, onSelect } = props;
  const { trial, codecs } = lab;
  const { draft, change } = trial;
  const known = useEngine("repair.codecs", NO_REQUEST).data ?? NO_CODECS;
  const frame = useRef<HTMLFieldSetElement>(null);
  const { byCommand } = lab;
  useEffect(() => {
    // Opened by a key, it takes the focus; a dialog that closes gives the focus back first.
    const timer = setTimeout(() => {
      if (byCommand) frame.current?.focus();
    });
    return () => clearTimeout(timer);
  }, [byCommand]);
  const selected = trial.trial === undefined || trial.shown === "trial" ? props.selected : undefined;
  return (
    <fieldset ref={frame} className={styles.panel} aria-label="Trial" tabIndex={-1}>
      <div className="stack topmost gap-8 narrow">
        <TrialSteps
          lab={lab}
          codecs={known}
          selected={selected}
          onSelect={(stage) => {
            trial.show("trial");
            onSelect(stage);
          }}
        />
        <InsertCodec
          codecs={known}
          onInsert={(codec) => {
            const after = draft.steps.findIndex(({ key }) => stageOfStep(draft, key) === selected);
            change(insertedStep(draft, selected === 0 ? 0 : after === -1 ? draft.steps.length : after + 1, codec));
          }}
        />
        <ByteOrderChoice lab={lab} />
        <RangeSteppers lab={lab} />
      </div>
      <div className="stack topmost gap-8 narrow">
        {trial.problem === undefined ? null : <p className="if-any bad fine">Not read: {trial.problem}</p>}
        {trial.trial === undefined ? (
          <p className={styles.quiet}>Nothing has changed yet. Each change is tested at once, next to the original.</p>
        ) : (
          <>
            <TrialCompare lab={lab} />
            {trial.reading.error === undefined ? null : <ErrorNotice error={trial.reading.error} />}
            <RepairButtons
              repair={lab.repair}
              trial={trial.problem === undefined ? trial.trial : undefined}
              label={trialWords(trial.trial, codecs)}
            />
          </>
        )}
      </div>
    </fieldset>
  );
}

function ByteOrderChoice({ lab: { trial, detail } }: { readonly lab: Lab }) {
  const { draft, change } = trial;
  const options = BYTE_ORDERS.map(({ value, text }) => ({
    value,
    text: value === "declared" && detail !== undefined ? `${text} (${detail.dtype})` : text,
  }));
  return (
    <Choice
      label="Byte order"
      value={draft.byteOrder}
      options={options}
      className={`quiet size-12 ${styles.order}`}
      onValue={(chosen) => {
        const byteOrder = BYTE_ORDERS.find(({ value }) => value === chosen)?.value ?? "declared";
        change({ ...draft, byteOrder });
      }}
    />
  );
}

interface InsertCodecProps {
  readonly codecs: readonly CodecDescription[];
  readonly onInsert: (codec: DeclaredCodec) => void;
}

/** One more codec, after the step whose bytes are shown. */
function InsertCodec({ codecs, onInsert }: InsertCodecProps) {
  const [chosen, setChosen] = useState("");
  const codec = codecs.find(({ id }) => id === chosen);
  return (
    <div className={styles.insert}>
      <select aria-label="Codec to insert" value={chosen} onChange={({ target }) => setChosen(target.value)}>
        <option value="">Insert a codec…</option>
        {codecs.map(({ id, insertable }) =>
          insertable === undefined ? null : (
            <option key={id} value={id}>
              {id}
            </option>
          ),
        )}
      </select>
      <Button
        aria-disabled={codec === undefined}
        title="Inserted after the step whose bytes are shown, or first if those are the stored bytes"
        onClick={() => {
          const { id, insertable } = codec ?? {};
          if (id === undefined || insertable === undefined) return;
          onInsert({ id, configuration: insertable === "{}" ? "" : insertable });
        }}
      >
        Insert
      </Button>
      <span className={styles.quiet} title={codec?.words}>
        {codec?.words}
      </span>
    </div>
  );
}

const STEPS = [1, 4];

const changeText = (by: number): string => (by === 0 ? "" : `changed by ${signedText(by)}`);

/** Sets the offset and length of the bytes by hand. */
function RangeSteppers({ lab: { declared, trial } }: { readonly lab: Lab }) {
  const { draft, change } = trial;
  const range = declaredRange(declared);
  const text = movedText(declared, draft);
  return (
    <div className={styles.range}>
      <Stepper
        label="Offset"
        value={range.offset + draft.shift}
        steps={STEPS}
        least={0}
        note={changeText(draft.shift)}
        onValue={(offset) => change({ ...draft, shift: offset - range.offset })}
      />
      <Stepper
        label="Length"
        value={range.length + draft.lengthen}
        steps={STEPS}
        least={1}
        note={changeText(draft.lengthen)}
        onValue={(length) => change({ ...draft, lengthen: length - range.length })}
      />
      {text === undefined ? (
        <p className={styles.quiet}>This reference has no range; the trial cuts its bytes.</p>
      ) : (
        <p className={`row gap-4 narrow ${styles.reference}`}>
          <code title={text}>{text}</code>
          <CopyButton text={text} what="reference as tried" />
        </p>
      )}
    </div>
  );
}

// The range of a chunk as declared and as a trial moves it.

/** The reference's range; without one it begins at 0 and has as many bytes as arrived. */
export function declaredRange(reading: Reading): ByteRange {
  return rangeOf(reading) ?? { offset: 0, length: reading.stages[0]?.bytesOut ?? 0 };
}

/** JSON text of the reference as moved: `["a.nc", 1020, 6851]`; `undefined` where it has no range. */
export function movedText(
  reading: Reading,
  { shift, lengthen }: Pick<TrialDraft, "shift" | "lengthen">,
): string | undefined {
  const range = rangeOf(reading);
  if (range === undefined) return undefined;
  return `[${urlText(reading.written)}, ${range.offset + shift}, ${range.length + lengthen}]`;
}

const urlText = (written: string): string => JSON.stringify(writtenReference(written)?.[0] ?? null);

/** `+12`, `−4`; nothing for 0. */
export function signedText(count: number): string {
  if (count === 0) return "";
  return `${count > 0 ? "+" : "−"}${formatCount(Math.abs(count))}`;
}

/** The reading as declared and the trial's, side by side. The last trial stays, dimmed, while a newer one is read. */
function TrialCompare({ lab }: { readonly lab: Lab }) {
  const { declared, trial, detail, set } = lab;
  const { reading, pending } = trial.reading;
  const expected = detail?.chunkBytes;
  const compared: readonly Compared[] = [
    ["Reads", outcomeWords(declared), outcomeWords(reading)],
    ["Bytes out", bytesWords(declared, expected), bytesWords(reading, expected)],
    ...comparedStatistics(statisticsOf(declared), statisticsOf(reading)),
  ];
  const table = useRef<HTMLTableElement>(null);
  const { taken } = trial;
  useEffect(() => {
    if (taken > 0) table.current?.scrollIntoView({ block: "nearest" });
  }, [taken]);
  return (
    <table ref={table} className={styles.compare} aria-label="As declared and trial" data-waiting={pending}>
      <thead>
        <tr>
          <th scope="col" aria-label="What is compared" />
          <th scope="col">As declared</th>
          <th scope="col">Trial</th>
        </tr>
      </thead>
      <tbody>
        {compared.map(([term, one, other]) => (
          // Differences are set in bold.
          <tr key={term} data-differs={one !== other}>
            <th scope="row">{term}</th>
            <td title={one}>{one}</td>
            <td data-trial title={other}>
              {other}
            </td>
          </tr>
        ))}
        <tr>
          <th scope="row">Looks like</th>
          <td>
            <MiniPicture set={set} reading={declared} />
          </td>
          <td data-trial>{reading === undefined ? null : <MiniPicture set={set} reading={reading} />}</td>
        </tr>
      </tbody>
    </table>
  );
}

const statisticsOf = (reading: Reading | undefined): Statistics | undefined =>
  reading?.outcome === "ok" ? reading.values?.raw : undefined;

// Two readings of a chunk side by side, in words.

/** `✓ yes`, or where it stopped. */
export function outcomeWords(reading: Reading | undefined): string {
  if (reading === undefined) return "…";
  if (reading.outcome === "ok") return "✓ yes";
  if (reading.outcome === "missing") return "missing";
  const stage = reading.stages.find(({ error }) => error !== undefined);
  return stage === undefined ? `✕ no: ${reading.error?.code ?? "failed"}` : `✕ no: ${stage.id} fails`;
}

/** `20,480 of 40,960`: bytes after the last step, and how many the chunk should have. */
export function bytesWords(reading: Reading | undefined, expected: number | undefined): string {
  if (reading === undefined) return "…";
  const { bytesOut } = reading.stages.at(-1) ?? {};
  const found = bytesOut === undefined ? "none" : formatCount(bytesOut);
  if (expected === undefined) return found;
  return bytesOut === expected ? `✓ ${found}` : `${found} of ${formatCount(expected)}`;
}

type Compared = readonly [term: string, one: string, other: string];

/** Count, Missing, Minimum, Maximum, Mean of both. */
export function comparedStatistics(
  one: Partial<Statistics> = {},
  other: Partial<Statistics> = {},
): readonly Compared[] {
  const others = figuresOf(other);
  return figuresOf(one).map(([term, value], at) => [
    term,
    figureText(value) ?? "–",
    figureText(others[at]?.[1]) ?? "–",
  ]);
}

/** A chunk at a glance: its first slice as a small map or line, or the first bytes where there are no numbers. */
function MiniPicture({ set, reading }: { readonly set: number; readonly reading: Reading }) {
  const { values } = reading;
  const tabs = valueTabs(reading);
  const drawn = tabs.some(({ id }) => id === "map" || id === "line");
  const spec = drawn ? mapSpec(reading.id, firstPlane(values?.inside ?? []), false) : undefined;
  const { data, stale } = useEngine(
    "chunk.slice",
    spec === undefined ? undefined : { set, spec },
    `slice ${reading.id}`,
  );
  if (spec === undefined) return <FirstBytes reading={reading} />;
  if (data === undefined || stale) return <span className={styles.picture} />;
  if (data.minimum === undefined || data.maximum === undefined) return <span>no value</span>;
  return (
    <span className={styles.picture}>
      {data.rows > 1 ? <MiniMap slice={data} /> : <MiniLine slice={data} />}
      <small>
        {shortNumber(data.minimum)} to {shortNumber(data.maximum)}
      </small>
    </span>
  );
}

function MiniMap({ slice }: { readonly slice: Slice }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const drawn = useMemo(() => {
    const range = { minimum: slice.minimum ?? 0, maximum: slice.maximum ?? 0 };
    const { pixels } = paintValues(slice.values, range, colormapTable("viridis"));
    return thinned(pixels, { rows: slice.rows, columns: slice.columns }, 512);
  }, [slice]);
  useLayoutEffect(() => {
    if (canvas.current !== null) putPixels(canvas.current, { width: drawn.columns, height: drawn.rows }, drawn.pixels);
  }, [drawn]);
  return <canvas ref={canvas} className={styles.map} aria-hidden="true" />;
}

const LINE = { width: 120, height: 44 };

function MiniLine({ slice }: { readonly slice: Slice }) {
  const shape = useMemo(() => lineShape(slice.values, LINE), [slice]);
  return (
    <svg className={styles.line} viewBox={`-2 -2 ${LINE.width + 4} ${LINE.height + 4}`} aria-hidden="true">
      <path d={shape.line} />
    </svg>
  );
}

function FirstBytes({ reading }: { readonly reading: Reading }) {
  const stage = reading.stages.findLast(({ bytesOut }) => bytesOut !== undefined);
  if (stage?.head === undefined) return <span>no bytes</span>;
  const { hex, ascii } = headTexts(stage.head);
  return (
    <code className={styles.bytes} title={`The first bytes after ${stage.label}`}>
      {hex} <span className="faint">{ascii}</span>
    </code>
  );
}
