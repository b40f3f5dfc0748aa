/** Where the sizes of regions are remembered. */
import { storageAt } from "../store/browser-storage.ts";

export const layoutStorage = storageAt("refscope.layout.1.");
