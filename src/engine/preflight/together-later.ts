import type { OpenTogether } from "../open/driver.ts";

/** `openTogether`, by code that is fetched when several files are chosen. */
export const togetherLater: OpenTogether = async (files, opening) =>
  (await import("./open-together.ts")).openTogether(files, opening);
