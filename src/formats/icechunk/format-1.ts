/** What only repositories of format 1 need: fetched when one is opened. */
export { readMessagePack } from "./message-pack.ts";
export { fetchRef } from "./refs.ts";
export { openFormat1 } from "./repository-1.ts";
