import { useId } from "react";
import type { Reading } from "../../core/reading.ts";
import { useActions } from "../../store/react.tsx";
import { TabPanel, Tabs } from "../../widgets/Tabs.tsx";
import { findingTab, openingTab } from "./chunk-tabs.ts";
import { edgeWords, isInGrid, rangeWords } from "./chunk-words.ts";
import { FindingsPart } from "./FindingsPart.tsx";
import { LineTab } from "./LineTab.tsx";
import { MapTab } from "./MapTab.tsx";
import { MissingChunk } from "./MissingChunk.tsx";
import { StatisticsPart } from "./StatisticsPart.tsx";
import { TableTab } from "./TableTab.tsx";
import type { Axes } from "../../store/use-cheap-axes.ts";
import type { Lab } from "./use-lab.ts";
import type { ValueTabProps } from "./value-tab-props.ts";
import type { ValueView } from "./use-value-view.ts";
import { shownTab, valueTabs, type ValueTab } from "./value-tabs.ts";
import type { ZarritaRun } from "./use-zarrita.ts";
import { ZarritaPart } from "./ZarritaPart.tsx";
import styles from "./ChunkPanel.module.css";

interface ValuesTabProps {
  readonly lab: Lab;
  /** The reading that is shown: as declared, or the trial's. */
  readonly reading: Reading;
  readonly view: ValueView;
  readonly axes: Axes;
  readonly zarrita: ZarritaRun;
}

/** The values, and whether another reader finds the same. */
export function ValuesTab({ zarrita, ...props }: ValuesTabProps) {
  // zarrita reads the chunk as it is declared, not a trial.
  const isTrial = props.reading.trial !== undefined;
  return (
    <>
      <OwnValues {...props} />
      {isTrial ? null : <ZarritaPart zarrita={zarrita} />}
    </>
  );
}

/** What the values amount to, and the values as a map, a line or a table. */
function OwnValues({ lab, reading, view, axes }: Omit<ValuesTabProps, "zarrita">) {
  const { set, array, detail } = lab;
  const { values } = reading;
  if (reading.outcome === "missing") return <MissingChunk array={array} reading={reading} fill={detail} />;
  if (values === undefined || reading.outcome !== "ok") return <NoValues reading={reading} />;
  return (
    <>
      <StatisticsPart
        values={values}
        fill={detail}
        scaled={view.scaled}
        onScaled={(scaled) => view.change({ scaled })}
      />
      <FindingsPart reading={reading} of={(about) => findingTab(about) === "values"} />
      <ValuesPart {...{ set, array, reading, view, axes }} />
      <Extent lab={lab} reading={reading} />
    </>
  );
}

/** Nothing is ever drawn for a chunk that failed. */
function NoValues({ reading }: { readonly reading: Reading }) {
  const actions = useActions();
  const where = openingTab(reading);
  return (
    <div className={styles.none}>
      <p>
        <b>No values.</b> {where === "decode" ? "The bytes came, but decoding them failed." : "The bytes did not come."}{" "}
        A failed chunk is never drawn as fill value.
      </p>
      <button
        type="button"
        onClick={() => {
          actions.showTab(where);
        }}
      >
        Show why
      </button>
    </div>
  );
}

/** Which indices of the array the values are of, and how many of the chunk are past its edge. */
function Extent({ lab: { array }, reading: { coordinates } }: Pick<ValuesTabProps, "lab" | "reading">) {
  if (!isInGrid(array.grid, coordinates)) return null;
  const edge = edgeWords(array, coordinates);
  return (
    <p className={styles.quiet}>
      {rangeWords(array, coordinates)}
      {edge === undefined ? null : (
        <span title="The chunk is stored whole; what lies past the array's edge is not shown.">
          ; past the array’s edge: {edge}
        </span>
      )}
    </p>
  );
}

/** The values in one of the ways that suit them. */
function ValuesPart(props: Omit<ValueTabProps, "values">) {
  const { reading, view } = props;
  const id = useId();
  const tabs = valueTabs(reading);
  const tab = shownTab(tabs, view.tab);
  if (tab === undefined) return null;
  return (
    <section className={styles.section} aria-label="Values">
      <Tabs
        label="Values as"
        size="small"
        idBase={id}
        tabs={tabs}
        selected={tab}
        onSelect={(next) => view.change({ tab: next })}
      />
      <TabPanel idBase={id} id={tab} className={styles.tabPanel}>
        <OneTab tab={tab} {...props} />
      </TabPanel>
    </section>
  );
}

function OneTab({ tab, ...props }: Omit<ValueTabProps, "values"> & { readonly tab: ValueTab }) {
  const { values } = props.reading;
  if (values === undefined) return null;
  if (tab === "map") return <MapTab {...props} values={values} />;
  return tab === "line" ? <LineTab {...props} values={values} /> : <TableTab {...props} values={values} />;
}
