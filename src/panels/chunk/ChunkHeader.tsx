import { placeRange } from "#core/cf/axis.ts";
import { chunkName } from "#core/metadata/chunk-grid.ts";
import { expectedWords, type Explain, type Explained } from "#core/findings/explained.ts";
import type { Reading } from "#core/reading.ts";
import { useActions } from "#store/react.tsx";
import type { Axes } from "#store/hooks/use-axes.ts";
import { SeverityMark } from "#widgets/notes/marks.tsx";
import { formatBytes, formatCount, formatShape } from "#widgets/number-format.ts";
import { useExplain } from "#widgets/notes/Notices.tsx";
import { CopyButton, QuietButton } from "#widgets/controls/Button.tsx";
import { Icon } from "#widgets/Icon.tsx";
import styles from "./ChunkHeader.module.css";
import { type Fill, FillValue, isUnfit } from "./MissingChunk.tsx";
import { FirstChunkButton } from "./FirstChunkButton.tsx";
import { findingTab } from "./tabs.ts";
import {
  type ChunkArray,
  chunkTitle,
  indexWords,
  indicesAlong,
  isInGrid,
  keyHint,
  movableDimensions,
  neighbour,
  rangeWords,
} from "./chunk-words.ts";

interface ChunkHeaderProps {
  readonly array: ChunkArray;
  readonly coordinates: readonly number[];
  /** `undefined` until a chunk was read; of the chunk before while `pending`. */
  readonly reading: Reading | undefined;
  readonly pending: boolean;
  readonly fill: Fill;
  readonly axes: Axes;
}

/** Which chunk this is, where it lies in the array, the way to the chunks beside it, and how reading it went. */
export function ChunkHeader({ array, coordinates, reading, pending, fill, axes }: ChunkHeaderProps) {
  const read = pending ? undefined : reading;
  const key = read?.key ?? `${array.path === "" ? "" : `${array.path}/`}${chunkName(coordinates, ".")}`;
  return (
    <header className={styles.header}>
      <div className={`row gap-4 narrow ${styles.line}`}>
        <h2 title={key}>{chunkTitle(array, coordinates)}</h2>
        <CopyButton text={key} what="key" />
      </div>
      {isInGrid(array.grid, coordinates) ? (
        <>
          <ChunkPlace array={array} coordinates={coordinates} axes={axes} />
          <ChunkStatus reading={reading} pending={pending} fill={fill} />
        </>
      ) : (
        // A link or a key names a chunk that the array does not have.
        <>
          <p className="quiet">The array has no such chunk. Its chunk grid is {formatShape(array.grid)}.</p>
          {array.grid.includes(0) ? null : <FirstChunkButton array={array} className={styles.first} />}
        </>
      )}
    </header>
  );
}

type ChunkPlaceProps = Pick<ChunkHeaderProps, "array" | "coordinates" | "axes">;

/** Place of the chunk along each dimension, and buttons to the chunks beside it. */
function ChunkPlace(props: ChunkPlaceProps) {
  const { array, coordinates } = props;
  if (array.dimensions.length === 0) return <p className="quiet">{rangeWords(array, coordinates)}</p>;
  return (
    <>
      <dl className={styles.place}>
        {array.dimensions.map((name, dimension) => (
          // Dimensions are never reordered, and two may have the same name.
          // oxlint-disable-next-line react/no-array-index-key
          <DimensionPlace key={dimension} {...props} name={name} dimension={dimension} />
        ))}
      </dl>
      {movableDimensions(array.grid).length === 0 ? <p className="quiet">The only chunk of this array.</p> : null}
    </>
  );
}

interface DimensionPlaceProps extends ChunkPlaceProps {
  readonly name: string;
  readonly dimension: number;
}

/** Place in the values of the coordinate array if these are cheap to read, else in indices. */
function DimensionPlace(props: DimensionPlaceProps) {
  const { array, coordinates, axes, name, dimension } = props;
  const axis = axes[dimension];
  const { from, to } = indicesAlong(array, coordinates, dimension);
  const indices = indexWords(array, coordinates, dimension);
  const place = axis === undefined ? undefined : placeRange(axis, from, to);
  return (
    <div>
      <dt title={name}>{name}</dt>
      <dd title={`${name} ${indices}${place === undefined ? "" : `: ${place}`}`}>
        {place === undefined
          ? indices
          : // The space stands between them: inside, lines would not be broken there.
            place.split(/ (?=– )/).flatMap((end) => [<span key={end}>{end}</span>, " "])}
        {place === undefined ? null : <small> {indices}</small>}
      </dd>
      <dd>
        {(array.grid[dimension] ?? 0) > 1 ? (
          <span className={`inline-row quiet size-12 ${styles.steps}`}>
            <Step {...props} step={-1} />
            <span className={styles.count} title="Chunks count from 0, as in their keys">
              {formatCount(coordinates[dimension] ?? 0)} of 0–{formatCount((array.grid[dimension] ?? 1) - 1)}
            </span>
            <Step {...props} step={1} />
          </span>
        ) : null}
      </dd>
    </div>
  );
}

function Step({ array, coordinates, name: along, dimension, step }: DimensionPlaceProps & { readonly step: 1 | -1 }) {
  const actions = useActions();
  const next = neighbour(array.grid, coordinates, dimension, step);
  const hint = keyHint(array.grid, dimension, step);
  const name = `${step === 1 ? "Next" : "Previous"} chunk along ${along}`;
  return (
    <QuietButton
      aria-label={name}
      title={hint === "" ? name : `${name} (${hint})`}
      // Not `disabled`: focus stays where it is at the edge of the grid.
      aria-disabled={next === undefined}
      onClick={() => {
        if (next !== undefined) actions.selectChunk(array.path, next);
      }}
    >
      <Icon side={16} path={step === 1 ? "m6.5 4 4 4-4 4" : "m9.5 4-4 4 4 4"} />
    </QuietButton>
  );
}

/**
 * How reading the chunk went, in one line, and what else was noticed: told in full in the tabs. While `pending` it is of
 * the chunk before: it keeps its place, so that nothing jumps, and is not seen.
 */
function ChunkStatus({ reading, pending, fill }: Pick<ChunkHeaderProps, "reading" | "pending" | "fill">) {
  const explain = useExplain();
  if (reading === undefined) return <p className={styles.status} />;
  return (
    <div className={`stack gap-4 ${styles.outcome}`} data-waiting={pending}>
      {reading.outcome === "missing" ? (
        <p className={styles.status}>
          <span aria-hidden="true">○</span>
          <span>
            <b className="strong">missing</b> · <FillValue fill={fill} unfit={isUnfit(reading)} />
          </span>
        </p>
      ) : (
        <OutcomeLine reading={reading} explain={explain} />
      )}
      {explain === undefined ? null : <Noticed reading={reading} explain={explain} />}
    </div>
  );
}

function OutcomeLine({ reading, explain }: { readonly reading: Reading; readonly explain: Explain | undefined }) {
  const explained = reading.error === undefined ? undefined : explain?.(reading.error);
  const { lead, rest } = statusWords(reading, explained);
  const sign = reading.outcome === "failed" ? "✕" : "✓";
  return (
    <p
      className={styles.status}
      data-outcome={reading.outcome}
      title={explained?.message ?? [lead, ...rest].join(" · ")}
    >
      <span aria-hidden="true">{sign}</span>
      <span>
        <b className="strong">{lead}</b>
        {rest.map((words) => ` · ${words}`).join("")}
      </span>
    </p>
  );
}

/** Warnings and errors other than the failure itself, each with a link to its details. */
function Noticed({ reading, explain }: { readonly reading: Reading; readonly explain: Explain }) {
  const actions = useActions();
  const others = reading.findings.filter(({ code }) => code !== reading.error?.code);
  const noticed = others
    .map((finding) => ({ code: finding.code, ...explain(finding) }))
    .filter(({ severity }) => severity !== "info");
  if (noticed.length === 0) return null;
  return (
    <ul className={`stack ${styles.noticed}`} aria-label="Noticed">
      {noticed.map(({ code, severity, title, message, about }, index) => (
        // Two findings may have the same code.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={index}>
          <QuietButton data-code={code} title={message} onClick={() => actions.showTab(findingTab(about))}>
            <SeverityMark severity={severity} />
            {title}
          </QuietButton>
        </li>
      ))}
    </ul>
  );
}

// How reading a chunk went, in one line.

/**
 * Words for a chunk with a reference. `lead` is its source, or the step that failed. `explained`: the failure, if there
 * is one and the catalogue is loaded.
 */
export function statusWords(reading: Reading, explained: Explained | undefined) {
  return reading.outcome === "failed" ? failedWords(reading, explained) : readWords(reading);
}

function readWords(reading: Reading) {
  const { stages } = reading;
  const [stored, ...codecs] = stages.map(({ id, bytesOut }) => ({ id, bytes: formatBytes(bytesOut ?? 0) }));
  const decoded = codecs.at(-1)?.bytes;
  const sizes = decoded === undefined || decoded === stored?.bytes ? stored?.bytes : `${stored?.bytes} → ${decoded}`;
  const names = codecs.length === 0 ? "no codec" : codecs.map(({ id }) => id).join(", ");
  return { lead: answerWords(reading), rest: [...(sizes === undefined ? [] : [sizes]), names] };
}

function failedWords(reading: Reading, explained: Explained | undefined) {
  const { stages, request, state, error } = reading;
  const why = expectedWords(error) ?? explained?.title;
  const said = why === undefined ? [] : [why];
  const [stored] = stages;
  if (stored === undefined) {
    const status = request?.status ?? error?.facts["status"];
    const lead = state === "bad" ? "reference" : typeof status === "number" ? String(status) : "request";
    return { lead, rest: said };
  }
  const failed = stages.find((stage) => stage.error !== undefined);
  const came = [answerWords(reading), formatBytes(stored.bytesOut ?? stored.bytesIn)];
  return { lead: failed?.id ?? "decode", rest: [...said, ...came] };
}

/** `206`, or what gave the bytes without a request. */
function answerWords({ state, request, resolution }: Reading): string {
  if (request?.status !== undefined) return String(request.status);
  if (state === "inline") return "inline";
  if (resolution?.kind === "data") return "data: URL";
  if (resolution?.kind === "member") return "from an archive";
  return request === undefined ? "read" : "local file";
}
