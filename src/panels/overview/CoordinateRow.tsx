/** A coordinate in a row of the card: its true range and steps, once it is read. */
import { describedAs } from "../../core/units-text.ts";
import { useActions } from "../../store/react.tsx";
import { formatBytes, formatExactBytes, formatShape } from "../../widgets/number-format.ts";
import { useMessage } from "../../widgets/use-explain.ts";
import type { CardReader } from "./card-reader.ts";
import { costWords } from "./cost-words.ts";
import { HealthMark } from "./HealthMark.tsx";
import type { ShownVariable } from "./shown-variables.ts";
import { typeWords } from "./type-words.ts";
import { useLook } from "./use-card-reader.ts";
import { dimensionsText } from "./VariableRow.tsx";
import type { VariableLook } from "./variable-look.ts";
import styles from "./CoordinateRow.module.css";

interface CoordinateRowProps {
  readonly shown: ShownVariable;
  readonly reader: CardReader;
}

export function CoordinateRow({ shown, reader }: CoordinateRowProps) {
  const { variable, node, item, needs } = shown;
  const { ref, look, read } = useLook(reader, item, needs);
  const actions = useActions();
  const { path, name, title, units, role, bytes } = variable;
  const described = describedAs(title, units);
  const known = knownOf(look);
  const type = typeWords(variable);
  const isUnknown = bytes === 0 && (node.unknown ?? 0) > 0;
  return (
    <li ref={ref} className={styles.row} title={described === "" ? undefined : described}>
      <h4>
        <button
          type="button"
          data-kind="link"
          title={`Show the values of ${path}`}
          onClick={() => {
            actions.selectNode(path);
            actions.showView("data");
          }}
        >
          {name}
        </button>
        {role === "dimension" ? null : <span>{dimensionsText(item.dimensionNames, item.shape)}</span>}
      </h4>
      <span className={styles.range} title={known.range}>
        {known.range}
      </span>
      <span className={styles.steps}>{known.steps ?? formatShape(item.shape)}</span>
      <span className={styles.type} title={variable.type.text}>
        {type}
      </span>
      <span className={styles.bytes} title={isUnknown ? undefined : formatExactBytes(bytes)}>
        {isUnknown ? "" : formatBytes(bytes)}
      </span>
      <span className={styles.mark}>
        <Mark name={name} look={look} onRead={read} />
      </span>
    </li>
  );
}

/** What the two columns in the middle say. */
function knownOf(look: VariableLook): { readonly range: string; readonly steps?: string } {
  switch (look.kind) {
    case "axis":
      return look;
    case "unread":
      return { range: "not read", steps: costWords(look.cost) };
    case "values":
      return { range: valuesRange(look) };
    case "failed":
      return { range: "could not be read" };
    case "none":
      return { range: "no range" };
    case "waiting":
    case "reading":
      return { range: "" };
  }
}

function valuesRange({ range, isAll }: Extract<VariableLook, { kind: "values" }>): string {
  if (range === undefined) return "no value was read";
  const text = range.low === range.high ? range.low : `${range.low} … ${range.high}`;
  return isAll ? text : `${text} so far`;
}

interface MarkProps {
  readonly name: string;
  readonly look: VariableLook;
  readonly onRead: () => void;
}

function Mark({ name, look, onRead }: MarkProps) {
  const error = look.kind === "failed" || look.kind === "values" ? look.error : undefined;
  const message = useMessage(error);
  if (look.kind === "unread") {
    return (
      <button type="button" aria-label={`Read ${name}`} onClick={onRead}>
        Read
      </button>
    );
  }
  if (error !== undefined) return <HealthMark sign="bad" title={message ?? "It could not be read."} />;
  if (look.kind === "axis") return <HealthMark sign="ok" title="All of it was read" />;
  if (look.kind === "values") {
    const title = look.isAll ? "All of it was read" : "Its first plane was read";
    return <HealthMark sign={look.isAll ? "ok" : "unknown"} title={title} />;
  }
  return <HealthMark sign="unknown" title="Not read yet" />;
}
