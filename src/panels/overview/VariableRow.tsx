/** A variable in a row of the card: its picture, what it is, its range, its layout, and what is known of its chunks. */
import type { ArrayTally } from "#core/values/reading-tally.ts";
import { useAppState } from "#store/react.tsx";
import {
  countOf,
  formatBytes,
  formatChunks,
  formatCount,
  formatExactBytes,
  formatShape,
} from "#widgets/number-format.ts";
import { useMessage } from "#widgets/notes/Notices.tsx";
import { NodeLink } from "./CardHead.tsx";
import { HealthMark, variableHealth } from "./VariableHealth.tsx";
import type { ShownVariable } from "./shown-variables.ts";
import { describedAs } from "#core/values/value-text.ts";
import { useLook } from "./use-card-reader.ts";
import { failureOf, failureWords, LINE_BOX } from "./variable-look.ts";
import type { Picture, PictureGap, VariableLook } from "./variable-look.ts";
import styles from "./VariableRow.module.css";
import { useEffect, useRef } from "react";
import { keepThumbnail } from "#widgets/values/thumbnails.ts";
import { Button } from "#widgets/controls/Button.tsx";
import { Icon } from "#widgets/Icon.tsx";
import type { PlaneCost } from "#core/plane/plane.ts";
import type { CardVariable } from "#core/dataset-card.ts";
import { typeName } from "#core/metadata/data-type.ts";

export interface VariableRowProps {
  readonly shown: ShownVariable;
  /** Results of reading its chunks. */
  readonly outcome: ArrayTally | undefined;
}

export function VariableRow({ shown, outcome }: VariableRowProps) {
  const { variable, item, needs } = shown;
  const { ref, look, read } = useLook(item, needs);
  return (
    <li ref={ref} className={styles.row}>
      <VariablePicture name={variable.name} path={variable.path} look={look} onRead={read} />
      <Name shown={shown} />
      <Range look={look} />
      <Layout shown={shown} />
      <Health shown={shown} outcome={outcome} />
    </li>
  );
}

function Name({ shown: { variable, item } }: Pick<VariableRowProps, "shown">) {
  const { name, path, title, units } = variable;
  const described = describedAs(title, units);
  return (
    <div className={`narrow ${styles.name}`}>
      <h4>
        <NodeLink path={path} view="data" title={`Show the values of ${path}`}>
          {name}
        </NodeLink>
      </h4>
      <p title={units === undefined ? title : `${title ?? name}, in ${units}`}>{described}</p>
      <p className={styles.dimensions}>{dimensionsText(item.dimensionNames, item.shape)}</p>
    </div>
  );
}

/** "(time, lat, lon)", as xarray writes it. */
export function dimensionsText(names: readonly (string | undefined)[], shape: readonly number[]): string {
  if (shape.length === 0) return "a single value";
  return names.length === 0 ? "dimensions without names" : `(${names.map((name) => name ?? "?").join(", ")})`;
}

/** The range of the values read so far, or what reading them would cost. */
export function Range({ look }: { readonly look: VariableLook }) {
  return (
    <div className={`narrow break ${styles.range}`}>
      {look.kind === "unread" ? (
        <>
          <p className={styles.faint}>not read</p>
          <p className="quiet fine">{costWords(look.cost)}</p>
        </>
      ) : look.kind === "failed" ? (
        <Failure look={look} />
      ) : look.kind === "values" ? (
        <ValueRange look={look} />
      ) : null}
    </div>
  );
}

function Failure({ look }: { readonly look: Extract<VariableLook, { kind: "failed" }> }) {
  const message = useMessage(look.error);
  return (
    <p className={classOf(look)} title={message}>
      {failureWords(look)}
    </p>
  );
}

const classOf = (look: VariableLook) => (failureOf(look) === "failed" ? "bad fine" : styles.faint);

function ValueRange({ look }: { readonly look: Extract<VariableLook, { kind: "values" }> }) {
  const { range, isAll, failed, error, picture } = look;
  const message = useMessage(error);
  if (range === undefined) {
    return failed === 0 ? (
      <p className={styles.faint}>no value here</p>
    ) : (
      <p className={classOf(look)} title={message}>
        {failureWords(look)}
      </p>
    );
  }
  const text = range.low === range.high ? range.low : `${range.low} … ${range.high}`;
  return (
    <>
      <p title={isAll ? text : `${text} (values shown in the preview; the rest has not been read)`}>
        <b>{text}</b> {isAll ? null : <span className={styles.faint}>so far</span>}
      </p>
      {picture?.kind === "image" && picture.ramp !== undefined && range.low !== range.high ? (
        <div className={styles.ramp} style={{ background: picture.ramp }} />
      ) : null}
    </>
  );
}

function Layout({ shown: { variable, item } }: Pick<VariableRowProps, "shown">) {
  return (
    <dl className={styles.layout}>
      <dt className="faint">shape</dt>
      <dd className="break">{formatShape(item.shape)}</dd>
      <dt className="faint">chunks</dt>
      <dd className="break">{formatChunks(item.chunks)}</dd>
      <dt className="faint">type</dt>
      <dd className="break" title={variable.type.text}>
        {typeWords(variable)}
      </dd>
    </dl>
  );
}

export function Health({ shown: { variable, node }, outcome }: VariableRowProps) {
  const { bad, bytes } = variable;
  const accepted = useAppState(({ problems }) => problems?.accepted);
  const { sign, text, more } = variableHealth(
    node,
    { bad, ok: outcome?.ok ?? 0, failed: outcome?.failed ?? 0, unreached: outcome?.unreached },
    { failing: accepted?.failing.get(node.path) ?? 0, mayLack: accepted?.lacking.has(node.path) === true },
  );
  return (
    <div className={styles.health} data-sign={sign}>
      <p className="row gap-6 quiet strong">
        <HealthMark sign={sign} /> {text}
      </p>
      {more === undefined ? null : <span>{more}</span>}
      {bytes === 0 && (node.unknown ?? 0) > 0 ? null : (
        <span title={formatExactBytes(bytes)}>{formatBytes(bytes)}</span>
      )}
    </div>
  );
}

// A small picture of a variable, in a box that has its size before there is one.

export interface VariablePictureProps {
  readonly name: string;
  /** The array's path; other parts of the page show the picture next to its name. */
  readonly path: string;
  readonly look: VariableLook;
  readonly onRead: () => void;
  readonly large?: boolean;
}

export function VariablePicture({ name, path, look, onRead, large = false }: VariablePictureProps) {
  const picture = look.kind === "values" ? look.picture : undefined;
  return (
    <div className={styles.box} data-look={look.kind} data-large={large}>
      {picture === undefined ? (
        <NoPicture name={name} look={look} onRead={onRead} />
      ) : (
        <div
          role="img"
          aria-label={pictureWords(name, look)}
          title={pictureWords(name, look)}
          className={styles.picture}
        >
          {picture.kind === "image" ? <Image picture={picture} path={path} /> : <Line picture={picture} />}
          {picture.gaps.map((gap) => (
            <Gap key={`${gap.top} ${gap.left}`} gap={gap} />
          ))}
        </div>
      )}
    </div>
  );
}

/** Why there is none. */
function NoPicture({ name, look, onRead }: Pick<VariablePictureProps, "name" | "look" | "onRead">) {
  if (look.kind === "unread") {
    return (
      <Button className={styles.read} aria-label={`Read ${name}`} onClick={onRead}>
        Read
      </Button>
    );
  }
  if (look.kind === "failed" && failureOf(look) === "out of reach")
    return <span className="faint fine">out of reach</span>;
  if (look.kind === "failed") {
    return (
      <div role="img" aria-label={`Reading ${name} failed`} className="grid">
        <Cross />
      </div>
    );
  }
  return <span className={`faint fine ${styles.word}`}>{WORDS[look.kind]}</span>;
}

const WORDS: Readonly<Record<Exclude<VariableLook["kind"], "unread" | "failed">, string>> = {
  waiting: "waiting…",
  reading: "reading…",
  none: "no picture",
  axis: "",
  values: "one value",
};

/** "Picture of sst, 1 of 9 chunks failed" */
function pictureWords(name: string, look: VariableLook): string {
  if (look.kind !== "values") return "";
  const of = look.isAll ? "" : ", of its first plane";
  const failed =
    look.failed === 0
      ? ""
      : `: ${formatCount(look.failed)} of ${formatCount(look.chunks)} chunks ${failureOf(look) ?? "failed"}`;
  return `Picture of ${name}${of}${failed}`;
}

interface ImageProps extends Pick<VariablePictureProps, "path"> {
  readonly picture: Extract<Picture, { kind: "image" }>;
}

function Image({ picture, path }: ImageProps) {
  const ref = useRef<HTMLCanvasElement>(null);
  const set = useAppState((state) => state.set?.id);
  useEffect(() => {
    const { current } = ref;
    if (current === null) return;
    current.getContext("2d")?.putImageData(new ImageData(picture.pixels, picture.width, picture.height), 0, 0);
    if (set !== undefined) keepThumbnail(set, path, current);
  }, [picture, set, path]);
  return <canvas ref={ref} width={picture.width} height={picture.height} />;
}

function Line({ picture }: { readonly picture: Extract<Picture, { kind: "line" }> }) {
  return (
    <svg viewBox={`-2 -4 ${LINE_BOX.width + 4} ${LINE_BOX.height + 8}`} preserveAspectRatio="none" aria-hidden="true">
      <path d={picture.path} />
    </svg>
  );
}

const cssShare = (share: number) => `${share * 100}%`;

function Gap({ gap }: { readonly gap: PictureGap }) {
  const { kind, top, left, height, width } = gap;
  const place = { top: cssShare(top), left: cssShare(left), height: cssShare(height), width: cssShare(width) };
  return (
    <span className={`middle absolute clip ${styles.gap}`} data-kind={kind} style={place}>
      {kind === "failed" ? <Cross /> : null}
    </span>
  );
}

function Cross() {
  return <Icon className={styles.cross} side={16} path="m4 4 8 8M12 4l-8 8" />;
}

/** "96 requests, 410 MB" */
export function costWords({ requests, bytes, unknown, ofUnknownLength }: PlaneCost): string {
  const parts = [
    ...(requests > 0 || unknown === 0 ? [countOf(requests, "request")] : []),
    ...(bytes > 0 ? [formatBytes(bytes)] : []),
    ...(ofUnknownLength > 0 ? [`${countOf(ofUnknownLength, "file")} of unknown length`] : []),
    ...(unknown > 0 ? [`${countOf(unknown, "reference")} to fetch first`] : []),
  ];
  return parts.join(", ");
}

/** "int16, packed", "float32, big-endian": as readers name it, with what they do not see. */
export function typeWords({ type, isPacked }: Pick<CardVariable, "type" | "isPacked">): string {
  const name = typeName(type.text);
  return [
    name.length > 40 ? `${name.slice(0, 39)}…` : name,
    ...(isPacked ? ["packed"] : []),
    ...(type.isBigEndian && type.itemSize > 1 ? ["big-endian"] : []),
  ].join(", ");
}
