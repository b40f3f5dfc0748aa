/** How the values of each array run, as far as a deep check has read them: for people to see for themselves. */
import { useState } from "react";
import type { ProfiledArray } from "#core/values/value-profile.ts";
import { useActions, useEngine } from "#store/react.tsx";
import { countOf, formatCount } from "#widgets/number-format.ts";
import { ProfilePlot } from "#widgets/plot/ProfilePlot.tsx";
import type { NodesByPath } from "#core/metadata/chunk-of-key.ts";
import { Button, LinkButton } from "#widgets/controls/Button.tsx";
import { axisWords } from "./CauseEvidence.tsx";
import { binWords, endsText, plottedBins, rangeText, shareText } from "./profile-words.ts";
import styles from "./ValuesSection.module.css";

/** More are shown when asked for. */
const FIRST = 8;

export function ValuesSection({ set, nodes }: { readonly set: number; readonly nodes: NodesByPath }) {
  const arrays = useEngine("check.profiles", { set }).last?.data ?? [];
  const [shown, setShown] = useState(FIRST);
  // An array with one chunk has no course of values.
  const several = arrays.filter(({ array }) => (nodes.get(array)?.cells ?? 0) > 1);
  if (several.length === 0) return null;
  const rest = several.length - shown;
  return (
    <section className={styles.values} aria-labelledby="values-by-chunk">
      <div className={styles.head}>
        <h3 className="ink subject" id="values-by-chunk">
          Values by chunk
        </h3>
        <span>{countOf(several.length, "array")}, as far as decoded: minimum to maximum, the mean as a line</span>
      </div>
      <ul>
        {several.slice(0, shown).map((one) => (
          <ArrayValues key={one.array} set={set} about={one} nodes={nodes} />
        ))}
      </ul>
      {rest <= 0 ? null : (
        <Button onClick={() => setShown(shown + 5 * FIRST)}>Show {formatCount(Math.min(rest, 5 * FIRST))} more</Button>
      )}
    </section>
  );
}

interface ArrayValuesProps {
  readonly set: number;
  readonly about: ProfiledArray;
  readonly nodes: NodesByPath;
}

function ArrayValues({ set, about, nodes }: ArrayValuesProps) {
  const { array, of, read, failed } = about;
  const profile = useEngine("check.profile", { set, array }).last?.data;
  const actions = useActions();
  const name = array === "" ? "/" : array;
  if (profile === undefined) return <li className={styles.row} aria-busy="true" />;
  const axis = axisWords(profile, nodes.get(array));
  const summary = sumWords(about);
  return (
    <li className={styles.row}>
      <div className={`grid leading topmost gap-2 narrow break quiet fine ${styles.about}`}>
        <LinkButton
          onClick={() => {
            actions.selectNode(array);
            actions.showView("chunks");
          }}
        >
          {name}
        </LinkButton>
        <span>{summary}</span>
        <span className="faint">
          {read === of ? countOf(of, "chunk") : `${formatCount(read)} of ${countOf(of, "chunk")} decoded`}
          {failed === 0 ? "" : `, ${formatCount(failed)} failed`}
        </span>
      </div>
      <ProfilePlot
        {...plottedBins(profile, axis, { height: 40, hasTitles: false })}
        label={`Values of ${name} along ${axis.dimension}: ${summary}`}
        marked={NONE}
        severity="info"
        room={ROOM}
        ends={endsText(profile, axis)}
        readout={(bin) => binWords(profile, axis, bin)}
      />
    </li>
  );
}

/** Dates fit. */
const ROOM = 84;

const NONE: ReadonlySet<number> = new Set();

/** "−1.4 to 31.2 °C, 12% missing". */
function sumWords(about: ProfiledArray): string {
  const { minimum, maximum, missing } = about;
  const range = Number.isNaN(minimum) ? "no values" : rangeText(minimum, maximum, about);
  return missing > 0 ? `${range}, ${shareText(missing)} missing` : range;
}
