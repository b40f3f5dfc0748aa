/** An array as a card: its picture, what it is, its range, and what its metadata say. */
import { useMemo } from "react";
import { levelWords } from "../../core/conventions/level-words.ts";
import type { CardVariable } from "../../core/dataset-card.ts";
import type { NodeSummary, SetSummary } from "../../core/open-set.ts";
import type { ArrayTally } from "../../core/reading-tally.ts";
import { useActions, useEngine } from "../../store/react.tsx";
import { formatShape } from "../../widgets/number-format.ts";
import { ArraySection } from "./ArraySection.tsx";
import { describedAs } from "../../core/units-text.ts";
import type { CardReader } from "./card-reader.ts";
import { CardHead } from "./CardHead.tsx";
import { GeoreferencePart } from "./LevelsPart.tsx";
import { shownVariables, type ShownVariable } from "./shown-variables.ts";
import { typeWords } from "./type-words.ts";
import { useLook } from "./use-card-reader.ts";
import { useOutcomes } from "./use-outcomes.ts";
import type { VariableLook } from "./variable-look.ts";
import { VariablePicture } from "./VariablePicture.tsx";
import { dimensionsText, Health, Range } from "./VariableRow.tsx";
import styles from "./ArrayCard.module.css";

interface ArrayCardProps {
  readonly set: SetSummary;
  readonly node: NodeSummary;
  readonly reader: CardReader;
}

export function ArrayCard({ set, node, reader }: ArrayCardProps) {
  const { path } = node;
  // With its neighbours: the coordinates along its dimensions are among them.
  const group = path.slice(0, Math.max(0, path.lastIndexOf("/")));
  const card = useEngine("set.card", { set: set.id, path: set.nodes[0]?.kind === "array" ? path : group }).data;
  const shown = useMemo(
    () => (card === undefined ? [] : shownVariables(card, set.nodes)).find(({ item }) => item.path === path),
    [card, set.nodes, path],
  );
  const outcome = useOutcomes(set.id).get(path);
  const isRoot = path === "";
  return (
    <>
      <CardHead
        {...(isRoot ? { title: set.name } : {})}
        facts={[...(isRoot ? ["one array, without a group"] : []), ...factsOf(node, shown)]}
      />
      <div className={styles.reserved}>
        {shown === undefined ? null : <Values shown={shown} outcome={outcome} reader={reader} />}
      </div>
      <ArrayGeoreference set={set.id} path={path} />
      <ArraySection set={set.id} path={path} reader={reader} />
    </>
  );
}

/** By its own attributes, or the CRS of its group. */
function ArrayGeoreference({ set, path }: { readonly set: number; readonly path: string }) {
  const card = useEngine("set.card", { set, path }).data;
  return <GeoreferencePart georeference={card?.path === path ? card.georeference : undefined} />;
}

/** "sea surface temperature, °C · (time, lat, lon) · int16, packed" */
function factsOf(
  { shape = [], dimensionNames = [], level }: NodeSummary,
  shown: ShownVariable | undefined,
): readonly string[] {
  const variable: CardVariable | undefined = shown?.variable;
  const described = describedAs(variable?.title, variable?.units);
  return [
    ...(described === "" ? [] : [described]),
    ...(level === undefined ? [] : [levelWords(level)]),
    dimensionsText(dimensionNames, shape),
    formatShape(shape),
    ...(variable === undefined ? [] : [typeWords(variable)]),
  ];
}

interface ValuesProps {
  readonly shown: ShownVariable;
  readonly outcome: ArrayTally | undefined;
  readonly reader: CardReader;
}

function Values({ shown, outcome, reader }: ValuesProps) {
  const actions = useActions();
  const { variable, item, needs } = shown;
  const { ref, look, read } = useLook(reader, item, needs);
  return (
    <ul aria-label="Values">
      <li ref={ref} className={styles.values}>
        <VariablePicture name={variable.name} path={variable.path} look={look} onRead={read} large />
        <div className={styles.known}>
          <Steps look={look} />
          <Range look={look} />
          <Health shown={shown} outcome={outcome} />
          <button
            type="button"
            onClick={() => {
              actions.showView("data");
            }}
          >
            Show its values
          </button>
        </div>
      </li>
    </ul>
  );
}

/** Of a coordinate. */
function Steps({ look }: { readonly look: VariableLook }) {
  if (look.kind !== "axis") return null;
  return (
    <div>
      <p className={styles.range}>{look.range}</p>
      <p className={styles.steps}>{look.steps}</p>
    </div>
  );
}
