/** The tabs of the Chunk region: which one a chunk opens on, and what the user's choice makes of that. */
import type { Subject } from "#core/findings/catalogue/entry.ts";
import type { Reading, ValuesReport } from "#core/reading.ts";
import type { ChunkTab } from "#store/address.ts";
import type { Tab } from "#widgets/controls/Tabs.tsx";

export const CHUNK_TABS: readonly Tab<ChunkTab>[] = [
  { id: "values", label: "Values" },
  { id: "request", label: "Request" },
  { id: "decode", label: "Decode" },
  { id: "hex", label: "Hex" },
];

/** Chunks of a repository have a history. */
export const REPOSITORY_TABS: typeof CHUNK_TABS = [...CHUNK_TABS, { id: "history", label: "History" }];

/** Tab to open: the values, the step that failed, or the reason why there are no bytes. */
export function openingTab(reading: Reading | undefined): ChunkTab {
  if (reading === undefined || reading.outcome === "ok") return "values";
  return isDecodeFailure(reading) ? "decode" : "request";
}

/** True if the bytes came, and a later step failed. */
export function isDecodeFailure({ outcome, stages }: Pick<Reading, "outcome" | "stages">): boolean {
  return outcome === "failed" && stages.length > 0;
}

/** Tab to remember after a click: going back to Values, if the chunk opens on them, is no choice. */
export function rememberedTab(clicked: ChunkTab, opening: ChunkTab): ChunkTab | undefined {
  return clicked === "values" && opening === "values" ? undefined : clicked;
}

/** The tab that explains a finding about a chunk in full. */
export const findingTab = (about: Subject): ChunkTab => (about === "values" ? "values" : "request");

/** Which ways of looking at a reading there are, and which comes first. */
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
