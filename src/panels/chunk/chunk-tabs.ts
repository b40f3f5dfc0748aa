/** The tabs of the Chunk region: which one a chunk opens on, and what the user's choice makes of that. */
import type { Subject } from "#core/findings/catalogue/entry.ts";
import type { Reading } from "#core/reading.ts";
import type { ChunkTab } from "#store/address.ts";
import type { Tab } from "#widgets/controls/Tabs.tsx";

export const CHUNK_TABS: readonly Tab<ChunkTab>[] = [
  { id: "values", label: "Values" },
  { id: "request", label: "Request" },
  { id: "decode", label: "Decode" },
  { id: "hex", label: "Hex" },
];

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
