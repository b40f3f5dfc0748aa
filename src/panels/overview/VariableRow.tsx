/** A variable in a row of the card: its picture, what it is, its range, its layout, and what is known of its chunks. */
import type { ArrayTally } from "../../core/values/reading-tally.ts";
import { useAppState } from "../../store/react.tsx";
import { formatBytes, formatChunks, formatExactBytes, formatShape } from "../../widgets/number-format.ts";
import { useMessage } from "../../widgets/notes/use-explain.ts";
import { NodeLink } from "./CardHead.tsx";
import { costWords } from "./cost-words.ts";
import { HealthMark } from "./HealthMark.tsx";
import type { ShownVariable } from "./shown-variables.ts";
import { typeWords } from "./type-words.ts";
import { describedAs } from "../../core/values/units-text.ts";
import { useLook } from "./use-card-reader.ts";
import { variableHealth } from "./variable-health.ts";
import type { VariableLook } from "./variable-look.ts";
import { VariablePicture } from "./VariablePicture.tsx";
import styles from "./VariableRow.module.css";

export interface VariableRowProps {
  readonly shown: ShownVariable;
  /** What reading its chunks gave. */
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
    <div className={styles.name}>
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
    <div className={styles.range}>
      {look.kind === "unread" ? (
        <>
          <p className={styles.faint}>not read</p>
          <p className={styles.small}>{costWords(look.cost)}</p>
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
    <p className={styles.failed} title={message}>
      could not be read
    </p>
  );
}

function ValueRange({ look }: { readonly look: Extract<VariableLook, { kind: "values" }> }) {
  const { range, isAll, failed, chunks, error, picture } = look;
  const message = useMessage(error);
  if (range === undefined) {
    return failed === 0 ? (
      <p className={styles.faint}>no value here</p>
    ) : (
      <p className={styles.failed} title={message}>
        {failed === 1 && chunks === 1 ? "its chunk could not be read" : "its first chunks could not be read"}
      </p>
    );
  }
  const text = range.low === range.high ? range.low : `${range.low} … ${range.high}`;
  return (
    <>
      <p title={isAll ? text : `${text}(values shown in the preview; the rest has not been read)`}>
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
      <dt>shape</dt>
      <dd>{formatShape(item.shape)}</dd>
      <dt>chunks</dt>
      <dd>{formatChunks(item.chunks)}</dd>
      <dt>type</dt>
      <dd title={variable.type.text}>{typeWords(variable)}</dd>
    </dl>
  );
}

export function Health({ shown: { variable, node }, outcome }: VariableRowProps) {
  const { bad, bytes } = variable;
  const accepted = useAppState(({ problems }) => problems?.accepted);
  const { sign, text, more } = variableHealth(
    node,
    { bad, ok: outcome?.ok ?? 0, failed: outcome?.failed ?? 0 },
    { failing: accepted?.failing.get(node.path) ?? 0, mayLack: accepted?.lacking.has(node.path) === true },
  );
  return (
    <div className={styles.health} data-sign={sign}>
      <p>
        <HealthMark sign={sign} /> {text}
      </p>
      {more === undefined ? null : <span>{more}</span>}
      {bytes === 0 && (node.unknown ?? 0) > 0 ? null : (
        <span title={formatExactBytes(bytes)}>{formatBytes(bytes)}</span>
      )}
    </div>
  );
}
