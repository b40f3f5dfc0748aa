/** Which ways of looking at a reading there are, and which comes first. */
import type { Reading, ValuesReport } from "#core/reading.ts";
import type { Tab } from "#widgets/controls/Tabs.tsx";

export type ValueTab = "map" | "line" | "table";

const LABELS: Readonly<Record<ValueTab, string>> = { map: "Map", line: "Line", table: "Table" };

/** The first is the one to begin with. A chunk that failed or is missing has none. */
export function valueTabs(reading: Reading): readonly Tab<ValueTab>[] {
  const ids: ValueTab[] = reading.outcome === "ok" && reading.values !== undefined ? tabsOf(reading.values) : [];
  return ids.map((id) => ({ id, label: LABELS[id] }));
}

function tabsOf({ inside, numeric }: ValuesReport): ValueTab[] {
  if (inside.includes(0)) return [];
  if (!numeric || inside.length === 0) return ["table"];
  if (inside.length === 1) return ["line", "table"];
  const long = inside.filter((length) => length > 1).length;
  return long > 1 ? ["table", "map", "line"] : ["line", "map", "table"];
}

/** The tab to show: the user's where this reading has it, else the first. */
export function shownTab(tabs: readonly Tab<ValueTab>[], wanted: ValueTab | undefined): ValueTab | undefined {
  return tabs.find((tab) => tab.id === wanted)?.id ?? tabs[0]?.id;
}

/** The stage whose bytes are shown: the user's where it has any, else the last that has. */
export function shownStage(reading: Reading, wanted: number | undefined): number | undefined {
  if (wanted !== undefined && reading.stages[wanted]?.bytesOut !== undefined) return wanted;
  const last = reading.stages.findLastIndex((stage) => stage.bytesOut !== undefined);
  return last === -1 ? undefined : last;
}
