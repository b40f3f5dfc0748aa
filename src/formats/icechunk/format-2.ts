/** Parts that only repositories of format 2 need: fetched when one is opened. */
export { readFlexBuffer } from "./flex-buffer.ts";
export { readRepoInfo } from "./repository.ts";
