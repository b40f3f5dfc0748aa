/** What reads a page of references; fetched with the first manifest, since opening a repository needs none of it. */
export { addRows } from "./add-rows.ts";
export { readPage } from "./array-references.ts";
export { keptReferences } from "./kept-references.ts";
