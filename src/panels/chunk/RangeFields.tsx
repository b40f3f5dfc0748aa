import { COLORMAPS, isColormap } from "../../widgets/colormap.ts";
import { Choice } from "../../widgets/Choice.tsx";
import type { ValueView } from "./use-value-view.ts";
import { RANGE_MODES, RANGE_WORDS, rangeProblem } from "./value-range.ts";
import styles from "./ChunkPanel.module.css";

/** Which colours, and from which value to which. */
export function RangeFields({ view }: { readonly view: ValueView }) {
  const { range, colormap, change } = view;
  const problem = rangeProblem(range);
  return (
    <>
      <Choice
        className={styles.field}
        label="Colours"
        value={colormap}
        options={COLORMAPS.map((name) => ({ value: name, text: name }))}
        onValue={(name) => {
          if (isColormap(name)) change({ colormap: name });
        }}
      />
      <Choice
        className={styles.field}
        label="Range"
        value={range.mode}
        options={RANGE_MODES.map((mode) => ({ value: mode, text: RANGE_WORDS[mode] }))}
        onValue={(chosen) => {
          const mode = RANGE_MODES.find((one) => one === chosen);
          if (mode !== undefined) change({ range: { ...range, mode } });
        }}
      />
      {range.mode === "typed" ? (
        <span className={styles.typed}>
          <Bound name="Range from" value={range.from} onValue={(from) => change({ range: { ...range, from } })} />
          to
          <Bound name="Range to" value={range.to} onValue={(to) => change({ range: { ...range, to } })} />
          {problem === undefined ? null : <span className={styles.quiet}>{problem} Until then: this slice.</span>}
        </span>
      ) : null}
    </>
  );
}

interface BoundProps {
  readonly name: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
}

function Bound({ name, value, onValue }: BoundProps) {
  return (
    <input
      type="text"
      inputMode="decimal"
      aria-label={name}
      value={value}
      autoComplete="off"
      onChange={(event) => onValue(event.target.value)}
    />
  );
}
