/** Below the map: what it is coloured by, what colours and signs mean, and the chunk that is looked at. */
import type { RasterColour } from "../../../core/open-set.ts";
import { Choice } from "../../../widgets/Choice.tsx";
import { CellLine } from "./CellLine.tsx";
import { GridLegend } from "./GridLegend.tsx";
import type { MapFootProps } from "./map-props.ts";
import styles from "./MapPart.module.css";

const COLOURS: readonly { readonly value: RasterColour; readonly text: string }[] = [
  { value: "length", text: "length" },
  { value: "state", text: "state" },
  { value: "target", text: "target" },
  { value: "reading", text: "reading result" },
];
const CHANGE_COLOUR = { value: "change", text: "change between snapshots" } as const;

export function MapFoot(props: MapFootProps) {
  const { array, colour, onColour, compared, facts, spoken } = props;
  const colours = compared === undefined ? COLOURS : [...COLOURS, CHANGE_COLOUR];
  return (
    <div className={styles.foot}>
      <div className={styles.line}>
        <Choice
          label="Colour by"
          value={colour}
          options={colours}
          className={styles.choice}
          onValue={(chosen) => onColour(colours.find(({ value }) => value === chosen)?.value ?? "length")}
        />
      </div>
      <GridLegend {...props} lookedTarget={facts?.row?.targetId} />
      <CellLine facts={facts} array={array} spoken={spoken} />
    </div>
  );
}
