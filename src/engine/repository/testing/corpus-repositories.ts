/** For tests: repositories of the corpus that are here. */
import { entriesHere } from "#core/testing/corpus.ts";

export const CORPUS_REPOSITORIES = entriesHere([
  "gen-icechunk-virtual-a",
  "icechunk-test-repo-v1",
  "icechunk-test-repo-v2",
  "icechunk-test-repo-v2-migrated",
  "icechunk-expired-v1",
]);
