/** Below the map: what it is coloured by, what colours and signs mean, and the chunk that is looked at. */
import { firstToSelect, LOOKED_THROUGH } from "#core/changed-chunk.ts";
import { BLAME_KINDS, type ArrayBlame } from "#core/blame.ts";
import { chunkOf, ordinalOf, shardsInChunks } from "#core/metadata/chunk-grid.ts";
import { commitTitle, commitWords } from "#core/words/commit-words.ts";
import { comparisonReason } from "#core/words/comparison-words.ts";
import type { StateCounts, TargetSummary } from "#core/open-set.ts";
import { type ReadingResult, STATES_IN_ORDER } from "#core/table/reference.ts";
import { CHANGES, type SnapshotChanges } from "#core/repository.ts";
import { shownTarget } from "#core/words.ts";
import { comparedText, useAppState, useEngine } from "#store/react.tsx";
import { Choice } from "#widgets/controls/Segmented.tsx";
import { ResultMark, StateMark } from "#widgets/notes/marks.tsx";
import { DistinctSwatch, Legend, LegendEntry, LookedLine } from "#widgets/cell-map/Legend.tsx";
import { STATE_SIGNS } from "#widgets/cell-map/signs.ts";
import { fillWords } from "#widgets/zarr-words.ts";
import { countOf, formatBytes, formatCount, formatExactBytes } from "#widgets/number-format.ts";
import { Unanswered, useMessage } from "#widgets/notes/Notices.tsx";
import { ageTint } from "#widgets/cell-map/palette.ts";
import { useTouch } from "#widgets/hooks.ts";
import { CopyButton, LinkButton } from "#widgets/controls/Button.tsx";
import styles from "./MapPart.module.css";
import type { MapColour } from "../cell-colours.ts";
import { LengthEntry, OrderEntry } from "../ScaleEntries.tsx";
import {
  CHANGE_BOX,
  CHANGE_MEANING,
  CHANGE_NAMES,
  CHANGE_SIGNS,
  changeWords,
  SET_CHANGE_NAMES,
  shortSnapshot,
} from "./change-words.ts";
import type { CellFacts, Compared, MapFootProps } from "./use-grid.ts";

const COLOURS: readonly { readonly value: MapColour; readonly text: string }[] = [
  { value: "length", text: "length" },
  { value: "state", text: "state" },
  { value: "target", text: "source" },
  { value: "reading", text: "reading result" },
];
const ORDER_COLOUR = { value: "order", text: "place in the shard" } as const;
const BLAME_COLOUR = { value: "blame", text: "commit that last wrote it" } as const;
const BLAME_CANCELLED = ["Reading the history was cancelled", "Read it"] as const;
const CHANGE_COLOUR = { value: "change", text: "change between snapshots" } as const;
const SET_COLOUR = { value: "change", text: "difference" } as const;

export function MapFoot(props: MapFootProps) {
  const { array, set, node, colour, onColour, compared, looked, change, blame } = props;
  const written = useWriter(props);
  const words = change === undefined ? written : changeWords(change, node.shardShape !== undefined, compared?.of);
  const facts = looked.facts && { ...looked.facts, ...(words === undefined ? {} : { change: words }) };
  const colours = [
    ...(node.shardShape === undefined ? [] : [ORDER_COLOUR]),
    ...COLOURS,
    ...(set.repository === undefined ? [] : [BLAME_COLOUR]),
    ...(compared === undefined ? [] : [compared.of === "sets" ? SET_COLOUR : CHANGE_COLOUR]),
  ];
  return (
    <div className={styles.foot}>
      <div className={styles.line}>
        <Choice
          label="Colour by"
          value={blame === undefined ? colour : "blame"}
          options={colours}
          className={`inline-row gap-6 quiet ${styles.choice}`}
          onValue={(chosen) => onColour(colours.find(({ value }) => value === chosen)?.value ?? "length")}
        />
      </div>
      {blame === undefined || (blame.data !== undefined && blame.error === undefined) ? null : (
        <Unanswered answer={blame} label="Reading the history of the array" cancelled={BLAME_CANCELLED} />
      )}
      <GridLegend {...props} lookedTarget={facts?.row?.targetId} />
      <CellLine facts={facts} fill={array?.fillValue} spoken={looked.spoken} />
    </div>
  );
}

// Facts of the chunk under the pointer or the cursor.

interface CellLineProps {
  readonly facts: CellFacts | undefined;
  readonly fill: string | undefined;
  /** The cursor moves by keyboard: say it aloud. */
  readonly spoken: boolean;
}

function CellLine({ facts, fill, spoken }: CellLineProps) {
  const touch = useTouch();
  const reason = useMessage(...(facts?.row?.reasons ?? []));
  if (facts === undefined) {
    return (
      <LookedLine className={styles.cellLine} spoken="">
        <span className={styles.faint}>
          {touch
            ? "Tap a chunk to select it."
            : "Point at a chunk, or move with the arrow keys; a click or Enter selects it."}
        </span>
      </LookedLine>
    );
  }
  const { key, row, result, change } = facts;
  return (
    <LookedLine className={styles.cellLine} spoken={spoken ? cellSentence(facts, fill, reason) : ""}>
      <code className={styles.key} title={key}>
        {key}
      </code>
      <CopyButton text={key} what="key" />
      {change === undefined ? null : <span>{change}</span>}
      {row === undefined ? null : (
        <>
          <StateMark state={row.state} label />
          {typeof row.target === "string" ? (
            <code className={styles.target} title={shownTarget(row.target)}>
              {shownTarget(row.target)}
            </code>
          ) : null}
          {row.state === "missing" ? <span className={styles.faint}>{fillWords(fill)}</span> : null}
          {reason === undefined ? null : <span className={styles.reason}>{reason}</span>}
          {row.length === undefined ? null : (
            <span title={formatExactBytes(row.length)}>
              {row.offset === undefined ? "" : `at ${formatCount(row.offset)}, `}
              {formatBytes(row.length)}
            </span>
          )}
          <ResultMark result={result} />
        </>
      )}
    </LookedLine>
  );
}

/** Facts of a chunk, for screen readers. */
export function cellSentence({ key, row, result, change }: CellFacts, fill?: string, reason?: string): string {
  const parts = [row === undefined ? key : `${key}: ${row.state}`];
  if (change !== undefined) parts.push(change);
  if (row === undefined) return parts.join(", ");
  if (row.state === "missing") parts.push(fillWords(fill));
  if (typeof row.target === "string") parts.push(row.target);
  if (row.offset !== undefined) parts.push(`offset ${formatCount(row.offset)}`);
  if (row.length !== undefined) parts.push(formatExactBytes(row.length));
  if (reason !== undefined) parts.push(reason);
  if (result !== "not tried") parts.push(`reading ${result}`);
  return parts.join(", ");
}

// Legend of colours and shapes, with counts, and how much of the grid one pixel is.

interface GridLegendProps extends MapFootProps {
  /** Target of the chunk that is looked at. */
  readonly lookedTarget: number | undefined;
}

function GridLegend(props: GridLegendProps) {
  const { set, node, colour, compared, lookedTarget, sentence } = props;
  const overview = useEngine("set.overview", { set: set.id, path: node.path }).data;
  const states = overview?.path === node.path ? overview.states : undefined;
  return (
    <div className={styles.legend}>
      <Legend>
        {colour === "state" ? <StateEntries states={states} /> : null}
        {colour === "target" ? <TargetEntries targets={overview?.targets ?? []} looked={lookedTarget} /> : null}
        {colour === "length" ? <LengthEntry {...props} /> : null}
        {colour === "order" ? <OrderEntry /> : null}
        {colour === "reading" ? <ReadingEntries {...{ set, node }} /> : null}
        {colour === "blame" ? <BlameEntries blame={props.blame?.data} /> : null}
        {colour === "change" && compared !== undefined ? <ChangeEntries {...props} compared={compared} /> : null}
        {colour === "length" || colour === "target" || colour === "order" || colour === "blame" ? (
          <SignEntries {...props} states={states} />
        ) : null}
      </Legend>
      {sentence === "" ? null : <p className="aside">{sentence}</p>}
    </div>
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

interface TargetEntriesProps {
  readonly targets: readonly TargetSummary[];
  readonly looked: number | undefined;
}

function TargetEntries({ targets, looked }: TargetEntriesProps) {
  const first = targets.slice(0, MAX_TARGETS);
  const also = targets.find(({ id }) => id === looked);
  const shown = also === undefined || first.includes(also) ? first : [...first.slice(0, -1), also];
  const more = targets.length - shown.length;
  return (
    <>
      {shown.map(({ id, url, references }) => (
        <LegendEntry key={id} looked={id === looked} title={url} count={references}>
          <DistinctSwatch number={id} className={styles.swatch} />
          <span className={styles.entryUrl}>
            <bdi dir="ltr">{url.slice(url.lastIndexOf("/") + 1) || url}</bdi>
          </span>
        </LegendEntry>
      ))}
      {more > 0 ? <li className={styles.faint}>and others; point at a chunk to see its target</li> : null}
    </>
  );
}

/** Signs that stand for more than a colour: those of readings, and of states other than the plain cell. */
function SignEntries({ set, node, dotted, states }: GridLegendProps & { readonly states: StateCounts | undefined }) {
  const failed = useEngine("chunk.results", { set: set.id, array: node.path }).data?.failed ?? 0;
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

/** More commits are counted together. */
const MAX_COMMITS = 8;

function BlameEntries({ blame }: { readonly blame: ArrayBlame | undefined }) {
  const commits = blame?.commits ?? [];
  const rest = commits.slice(MAX_COMMITS);
  return (
    <>
      {commits.slice(0, MAX_COMMITS).map((commit, at) => (
        <LegendEntry key={commit.id} title={commitTitle(commit)} count={commit.written}>
          <span className={styles.swatch} style={{ background: ageTint(at + 1, commits.length) }} aria-hidden="true" />
          <span className={styles.entryUrl}>{commitWords(commit)}</span>
          {commit.removed === 0 ? null : <span className={styles.faint}>({formatCount(commit.removed)} removed)</span>}
        </LegendEntry>
      ))}
      {rest.length === 0 ? null : (
        <LegendEntry count={rest.reduce((sum, { written }) => sum + written, 0)}>
          {countOf(rest.length, "older commit")}
        </LegendEntry>
      )}
    </>
  );
}

/** `written by “append March”`, for the chunk that is looked at. */
function useWriter({ set, node, blame, looked }: MapFootProps): string | undefined {
  const { at } = looked;
  const { grid, commits = [] } = blame?.data ?? {};
  const stored = at && node.shardShape ? chunkOf(at, shardsInChunks(node.shardShape, node.chunks ?? [])) : at;
  const ordinal = grid && stored && ordinalOf(grid, stored);
  const request = ordinal === undefined ? undefined : { set: set.id, array: node.path, from: ordinal, to: ordinal + 1 };
  const { data, stale } = useEngine("repository.blamedChunks", request);
  if (request === undefined || data === undefined || stale) return undefined;
  const commit = commits[(data.by[0] ?? 0) - 1];
  const kind = BLAME_KINDS[data.kinds[0] ?? 0];
  if (commit === undefined) return "never written";
  const did = kind === "deleted" ? "deleted by" : kind === "resized" ? "cut off by" : "written by";
  return `${did} “${commitWords(commit)}”${commit.orEarlier ? " or earlier" : ""}`;
}

function ReadingEntries({ set, node }: Pick<MapFootProps, "set" | "node">) {
  const { ok, failed } = useEngine("chunk.results", { set: set.id, array: node.path }).data ?? { ok: 0, failed: 0 };
  const counts = { ok, failed, "not tried": Math.max(0, (node.cells ?? 0) - ok - failed) };
  return RESULTS.map((result) => (
    <LegendEntry key={result} swatch={result} count={counts[result]}>
      <ResultMark result={result} />
    </LegendEntry>
  ));
}

// The way to the first chunk that changed, which may be in another slice than the one in sight.

interface CompareProps extends MapFootProps {
  readonly compared: Compared;
}

/** For one comparison: it has a key of its own. */
function FirstChange({ set, node, state, frame, compared }: CompareProps) {
  const request = { set: set.id, path: node.path, from: 0, to: LOOKED_THROUGH };
  const { data } = useEngine("repository.changedChunks", compared.of === "sets" ? undefined : request);
  const changed = data === undefined ? undefined : firstToSelect(node, data.chunks);
  const first = compared.of === "sets" ? compared.places.first?.coordinates : changed;
  if (first === undefined) return null;
  return (
    <LegendEntry>
      <LinkButton
        onClick={() => {
          state.goTo(first);
          frame.current?.focus();
        }}
      >
        {compared.of === "sets" ? "First chunk that differs" : "First changed chunk"}
      </LinkButton>
    </LegendEntry>
  );
}

// The legend of what changed between two snapshots: kinds with counts, and which snapshots.

function ChangeEntries(props: CompareProps) {
  const { set, node, compared } = props;
  const { kinds } = compared;
  const comparisonKey = useAppState(comparedText);
  const names = compared.of === "sets" ? SET_CHANGE_NAMES : CHANGE_NAMES;
  return (
    <>
      {CHANGES.filter((kind) => kinds[kind] > 0).map((kind) => (
        <LegendEntry
          key={kind}
          {...(compared.of === "sets" ? {} : { title: CHANGE_MEANING[kind] })}
          count={kinds[kind]}
        >
          <svg
            className={styles.changeMark}
            data-change={kind}
            viewBox={`0 0 ${CHANGE_BOX} ${CHANGE_BOX}`}
            aria-hidden="true"
          >
            <rect width={CHANGE_BOX} height={CHANGE_BOX} rx="1.5" />
            <path d={CHANGE_SIGNS[kind]} />
          </svg>
          {names[kind]}
        </LegendEntry>
      ))}
      <LegendEntry swatch="unchanged">{compared.of === "sets" ? "the same" : "unchanged"}</LegendEntry>
      {compared.of === "sets" ? (
        <LegendEntry title={`A: ${set.name}, B: ${compared.other.name}`}>B: {compared.other.name}</LegendEntry>
      ) : (
        <Snapshots {...compared.comparison} />
      )}
      {node.shardShape === undefined || compared.of === "sets" ? null : (
        <li className={styles.faint}>counts are of shards; all chunks of a shard are coloured</li>
      )}
      <FirstChange key={`${set.id} ${node.path} ${comparisonKey}`} {...props} />
    </>
  );
}

function Snapshots({ from, to, because }: SnapshotChanges) {
  return (
    <LegendEntry title={`From snapshot ${from} to snapshot ${to}. ${comparisonReason(because)}`}>
      <span>
        from <code>{shortSnapshot(from)}</code> to <code>{shortSnapshot(to)}</code>
      </span>
    </LegendEntry>
  );
}
