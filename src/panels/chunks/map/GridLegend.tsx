/** What colours and shapes mean, with counts, and how much of the grid one pixel is. */
import type { NodeSummary, StateCounts, TargetSummary } from "../../../core/open-set.ts";
import { STATES_IN_ORDER, type ReadingResult } from "../../../core/reference.ts";
import { useAppState, useEngine } from "../../../store/react.tsx";
import { STATE_SIGNS } from "../../../widgets/cell-map/signs.ts";
import { Legend, LegendEntry, Ramp, RampBytes } from "../../../widgets/cell-map/Legend.tsx";
import { ResultMark } from "../../../widgets/ResultMark.tsx";
import { StateMark } from "../../../widgets/StateMark.tsx";
import { ChangeEntries } from "./ChangeEntries.tsx";
import { FirstChange } from "./FirstChange.tsx";
import type { Compared } from "./use-compared.ts";
import { TargetSwatch } from "./TargetSwatch.tsx";
import { LENGTH_GRADIENT } from "./cell-colours.ts";
import type { MapFootProps } from "./map-props.ts";
import styles from "./MapPart.module.css";

export interface GridLegendProps extends Omit<MapFootProps, "facts" | "spoken"> {
  /** Target of the chunk that is looked at. */
  readonly lookedTarget: number | undefined;
}

export function GridLegend(props: GridLegendProps) {
  const { set, node, colour, compared, lookedTarget, sentence } = props;
  const overview = useEngine("set.overview", { set: set.id, path: node.path }).data;
  const states = overview?.path === node.path ? overview.states : undefined;
  return (
    <div className={styles.legend}>
      <Legend>
        {colour === "state" ? <StateEntries states={states} /> : null}
        {colour === "target" ? <TargetEntries targets={overview?.targets ?? []} looked={lookedTarget} /> : null}
        {colour === "length" ? <LengthEntry {...props} /> : null}
        {colour === "reading" ? <ReadingEntries node={node} /> : null}
        {colour === "change" && compared !== undefined ? <Changes {...props} compared={compared} /> : null}
        {colour === "length" || colour === "target" ? <SignEntries {...props} states={states} /> : null}
      </Legend>
      {sentence === "" ? null : <p className={styles.scale}>{sentence}</p>}
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
    <LegendEntry key={state} count={states?.[state] ?? 0}>
      <StateMark state={state} label />
    </LegendEntry>
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
        <LegendEntry key={id} looked={id === looked} title={url} count={references}>
          <TargetSwatch id={id} />
          <span className={styles.entryUrl}>
            <bdi dir="ltr">{url.slice(url.lastIndexOf("/") + 1) || url}</bdi>
          </span>
        </LegendEntry>
      ))}
      {more > 0 ? <li className={styles.faint}>and others; point at a chunk to see its target</li> : null}
    </>
  );
}

function LengthEntry({ minimum, maximum }: Pick<GridLegendProps, "minimum" | "maximum">) {
  if (minimum === undefined || maximum === undefined) {
    return <LegendEntry>No chunk in sight has a known length.</LegendEntry>;
  }
  return (
    <LegendEntry title="Stored bytes of the chunks in sight, on a square-root scale">
      <Ramp gradient={LENGTH_GRADIENT} low={<RampBytes bytes={minimum} />} high={<RampBytes bytes={maximum} />} />
    </LegendEntry>
  );
}

/** Signs that stand for more than a colour: those of readings, and of states other than the plain cell. */
function SignEntries({ node, dotted, states }: GridLegendProps & { readonly states: StateCounts | undefined }) {
  const set = useAppState((state) => state.set?.id);
  const request = set === undefined ? undefined : { set, array: node.path };
  const failed = useEngine("chunk.results", request).data?.failed ?? 0;
  const signed = STATES_IN_ORDER.filter((state) => STATE_SIGNS[state] !== undefined && (states?.[state] ?? 0) > 0);
  return (
    <>
      {failed > 0 ? <LegendEntry swatch="cross">failed</LegendEntry> : null}
      {dotted ? <LegendEntry swatch="dots">not read</LegendEntry> : null}
      {signed.map((state) => (
        <LegendEntry key={state}>
          <StateMark state={state} label />
        </LegendEntry>
      ))}
      <LegendEntry swatch="frame">selected</LegendEntry>
    </>
  );
}

const RESULTS: readonly ReadingResult[] = ["ok", "failed", "not tried"];

function ReadingEntries({ node }: { readonly node: NodeSummary }) {
  const set = useAppState((state) => state.set?.id);
  const request = set === undefined ? undefined : { set, array: node.path };
  const { ok, failed } = useEngine("chunk.results", request).data ?? { ok: 0, failed: 0 };
  const counts = { ok, failed, "not tried": Math.max(0, (node.cells ?? 0) - ok - failed) };
  return RESULTS.map((result) => (
    <LegendEntry key={result} swatch={result} count={counts[result]}>
      <ResultMark result={result} />
    </LegendEntry>
  ));
}
