/** From which value to which the colours run, and which colours. */
import { useMemo } from "react";
import type { NodeSummary, SetSummary } from "../../core/open-set.ts";
import { useEngine } from "../../store/react.tsx";
import { Choice } from "../../widgets/Choice.tsx";
import { COLORMAPS, isColormap } from "../../widgets/colormap.ts";
import { colourRange, RANGE_MODES, RANGE_WORDS, type ColourRange, type RangeMode } from "./colour-range.ts";
import type { PlaneValues } from "../../core/plane-values.ts";
import { RangeBrush } from "./RangeBrush.tsx";
import type { SliceView } from "./use-slice-view.ts";
import { valueText } from "../../core/value-text.ts";
import styles from "./Dock.module.css";

interface RangePartProps {
  readonly set: SetSummary;
  readonly node: NodeSummary;
  readonly view: SliceView;
  readonly change: (part: Partial<SliceView>) => void;
  readonly shown: PlaneValues | undefined;
}

export function RangePart({ set, node, view, change, shown }: RangePartProps) {
  const about = useEngine("plane.about", { set: set.id, array: node.path }).data;
  const range = useMemo(() => (shown === undefined ? undefined : colourRange(view.range, shown)), [view.range, shown]);
  const label = (value: number | undefined) => (value === undefined ? "" : valueText(value, about, view.scaled));
  return (
    <section className={styles.range} aria-label="Range of the colours">
      <div className={styles.head}>
        <RangeChoice {...{ view, change, range }} />
        <select
          aria-label="Colours"
          value={view.colormap}
          onChange={({ target }) => change({ colormap: isColormap(target.value) ? target.value : "viridis" })}
        >
          {COLORMAPS.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
        <label className={styles.log} title="Colours by the logarithm of the value">
          <input
            type="checkbox"
            checked={view.range.logarithmic}
            onChange={({ target }) => change({ range: { ...view.range, logarithmic: target.checked } })}
          />
          Log
        </label>
      </div>
      <RangeBrush
        {...{ shown, range, label }}
        colormap={view.colormap}
        onEnds={(ends) => change({ range: { ...view.range, ...ends, mode: "fixed" } })}
        onReset={() => change({ range: { ...view.range, mode: "slice" } })}
      />
      <div className={styles.legend}>
        <End {...{ view, change }} end="low" text={label(range?.minimum)} />
        <span className={styles.noData}>no data</span>
        <End {...{ view, change }} end="high" text={label(range?.maximum)} />
      </div>
    </section>
  );
}

type Changing = Pick<RangePartProps, "view" | "change">;

function RangeChoice({ view, change, range }: Changing & { readonly range: ColourRange | undefined }) {
  return (
    <Choice
      label="Range"
      value={view.range.mode}
      options={RANGE_MODES.map((value) => ({ value, text: RANGE_WORDS[value] }))}
      className={styles.choice}
      onValue={(mode) =>
        change({
          range: {
            ...view.range,
            ...(range && { low: range.minimum, high: range.maximum }),
            mode: mode as RangeMode,
          },
        })
      }
    />
  );
}

interface EndProps extends Changing {
  readonly end: "low" | "high";
  readonly text: string;
}

/** An end of the range: typed where it is chosen by hand. */
function End({ view, change, end, text }: EndProps) {
  if (view.range.mode !== "fixed") return <span>{text}</span>;
  return (
    <input
      type="number"
      aria-label={end === "low" ? "Lowest value" : "Highest value"}
      step="any"
      value={Number((view.range[end] ?? 0).toPrecision(6))}
      onChange={({ target }) => {
        if (Number.isFinite(target.valueAsNumber)) change({ range: { ...view.range, [end]: target.valueAsNumber } });
      }}
    />
  );
}
