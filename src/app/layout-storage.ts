/** Where the sizes of regions are remembered. */
import { remember, remembered } from "../store/browser-storage.ts";

const PREFIX = "refscope.layout.1.";

export const layoutStorage = {
  getItem: (key: string) => remembered(PREFIX + key),
  setItem: (key: string, value: string) => remember(PREFIX + key, value),
};
