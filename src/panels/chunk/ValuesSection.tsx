import { useId } from "react";
import type { Reading } from "../../core/reading.ts";
import { TabPanel, Tabs } from "../../widgets/Tabs.tsx";
import type { ChunkArray } from "./chunk-words.ts";
import { HexTab } from "./HexTab.tsx";
import { LineTab } from "./LineTab.tsx";
import { MapTab } from "./MapTab.tsx";
import { TableTab } from "./TableTab.tsx";
import type { ValueTabProps } from "./value-tab-props.ts";
import type { ValueView } from "./use-value-view.ts";
import { shownTab, valueTabs, type ValueTab } from "./value-tabs.ts";
import styles from "./ChunkPanel.module.css";

interface ValuesSectionProps {
  readonly set: number;
  readonly array: ChunkArray;
  readonly reading: Reading;
  /** Stage whose bytes Hex shows. */
  readonly stage: number | undefined;
  readonly view: ValueView;
}

/** The values as a map, a line or a table, and the bytes as hex. */
export function ValuesSection({ set, array, reading, stage, view }: ValuesSectionProps) {
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
        {tab === "hex" ? (
          stage === undefined ? null : (
            <HexTab set={set} reading={reading} stage={stage} />
          )
        ) : (
          <OneTab tab={tab} set={set} array={array} reading={reading} view={view} />
        )}
      </TabPanel>
    </section>
  );
}

interface OneTabProps extends Omit<ValueTabProps, "values"> {
  readonly tab: Exclude<ValueTab, "hex">;
}

function OneTab({ tab, ...props }: OneTabProps) {
  const { values } = props.reading;
  if (values === undefined) return null;
  if (tab === "map") return <MapTab {...props} values={values} />;
  return tab === "line" ? <LineTab {...props} values={values} /> : <TableTab {...props} values={values} />;
}
