/** What colours and shapes mean, with counts, and how much of the grid one pixel is. */
import type { NodeSummary, RasterColour, SetSummary, StateCounts, TargetSummary } from "../../core/open-set.ts";
import { STATES_IN_ORDER, type ReadingResult } from "../../core/reference.ts";
import { useActions, useAppState, useEngine } from "../../store/react.tsx";
import { colormapGradient } from "../../widgets/colormap.ts";
import { formatBytes, formatCount, formatExactBytes } from "../../widgets/number-format.ts";
import { PagesNote } from "../../widgets/PagesNote.tsx";
import { ResultMark } from "../../widgets/ResultMark.tsx";
import { StateMark } from "../../widgets/StateMark.tsx";
import type { CellWindow, GridExtent } from "../../widgets/cell-camera.ts";
import { ChangeEntries } from "./ChangeEntries.tsx";
import type { Layer } from "./draw-grid.ts";
import { FirstChange } from "./FirstChange.tsx";
import type { Compared } from "./use-compared.ts";
import { TargetSwatch } from "./TargetSwatch.tsx";
import { scaleSentence, windowSentence } from "./legend-text.ts";
import styles from "./GridPanel.module.css";

export interface GridLegendProps {
  readonly set: SetSummary;
  readonly node: NodeSummary;
  readonly colour: RasterColour;
  readonly compared: Compared | undefined;
  readonly layer: Layer | undefined;
  /** Target of the chunk that is looked at. */
  readonly lookedTarget: number | undefined;
  readonly window: CellWindow;
  readonly extent: GridExtent;
  /** Shows the chunk at these coordinates. */
  readonly onGoTo: (coordinates: readonly number[]) => void;
}

export function GridLegend(props: GridLegendProps) {
  const { set, node, colour, compared, layer, lookedTarget, window, extent } = props;
  const actions = useActions();
  const overview = useEngine("set.overview", { set: set.id, path: node.path }).data;
  const states = overview?.path === node.path ? overview.states : undefined;
  return (
    <div className={styles.legend}>
      <ul aria-label="Legend" className={styles.entries}>
        {colour === "state" ? <StateEntries states={states} /> : null}
        {colour === "target" ? <TargetEntries targets={overview?.targets ?? []} looked={lookedTarget} /> : null}
        {colour === "length" ? <LengthEntry layer={layer} /> : null}
        {colour === "reading" ? <ReadingEntries node={node} /> : null}
        {colour === "change" && compared !== undefined ? <Changes {...props} compared={compared} /> : null}
      </ul>
      {colour === "change" || node.pages === undefined || node.pages.loaded === node.pages.count ? null : (
        <PagesNote
          pages={node.pages}
          onLoad={() => {
            void actions.loadPages(node.path);
          }}
        />
      )}
      <p className={styles.scale}>
        {[
          scaleSentence(layer?.raster, colour),
          windowSentence(window, extent, node.cells ?? extent.rows * extent.columns),
        ]
          .filter(Boolean)
          .join(" · ")}
      </p>
    </div>
  );
}

function Changes({ set, node, compared, onGoTo }: GridLegendProps & { readonly compared: Compared }) {
  const { from, to, method } = compared.comparison;
  return (
    <>
      <ChangeEntries node={node} compared={compared} />
      <FirstChange key={`${set.id} ${node.path} ${from} ${to} ${method}`} {...{ node, onGoTo }} set={set.id} />
    </>
  );
}

function StateEntries({ states }: { readonly states: StateCounts | undefined }) {
  const shown = STATES_IN_ORDER.filter((state) => (states?.[state] ?? 0) > 0);
  return shown.map((state) => (
    <li key={state} className={styles.entry}>
      <StateMark state={state} label />
      <b>{formatCount(states?.[state] ?? 0)}</b>
    </li>
  ));
}

const MAX_TARGETS = 8;

function TargetEntries({
  targets,
  looked,
}: {
  readonly targets: readonly TargetSummary[];
  readonly looked: number | undefined;
}) {
  const first = targets.slice(0, MAX_TARGETS);
  const also = targets.find(({ id }) => id === looked);
  const shown = also === undefined || first.includes(also) ? first : [...first.slice(0, -1), also];
  const more = targets.length - shown.length;
  return (
    <>
      {shown.map(({ id, url, references }) => (
        <li key={id} className={styles.entry} data-looked={id === looked} title={url}>
          <TargetSwatch id={id} />
          <span className={styles.entryUrl}>
            <bdi dir="ltr">{url.slice(url.lastIndexOf("/") + 1) || url}</bdi>
          </span>
          <b>{formatCount(references)}</b>
        </li>
      ))}
      {more > 0 ? <li className={styles.faint}>and others; pointing at a chunk names its target</li> : null}
    </>
  );
}

function LengthEntry({ layer }: { readonly layer: Layer | undefined }) {
  const { minimum, maximum } = layer?.raster ?? {};
  if (minimum === undefined || maximum === undefined) {
    return <li className={styles.entry}>No chunk in sight has a known length.</li>;
  }
  return (
    <>
      <li className={styles.entry}>
        <span title={formatExactBytes(minimum)}>{formatBytes(minimum)}</span>
        <span className={styles.ramp} style={{ backgroundImage: colormapGradient("viridis") }} />
        <span title={formatExactBytes(maximum)}>{formatBytes(maximum)}</span>
        <span className={styles.faint}>(square-root scale, chunks in sight)</span>
      </li>
      <li className={styles.entry}>
        <span className={styles.none} /> no length: missing, unknown, bad or a whole file
      </li>
    </>
  );
}

const RESULTS: readonly ReadingResult[] = ["ok", "failed", "not tried"];

function ReadingEntries({ node }: { readonly node: NodeSummary }) {
  const results = useAppState((state) => state.results);
  const prefix = node.path === "" ? "" : `${node.path}/`;
  const here = [...results].filter(([key]) => key.startsWith(prefix)).map(([, result]) => result);
  const counts = { ok: 0, failed: 0, "not tried": 0 };
  for (const result of here) counts[result] += 1;
  counts["not tried"] = Math.max(0, (node.cells ?? 0) - counts.ok - counts.failed);
  return RESULTS.map((result) => (
    <li key={result} className={styles.entry}>
      <span className={styles.swatch} data-result={result} />
      <ResultMark result={result} />
      <b>{formatCount(counts[result])}</b>
    </li>
  ));
}
