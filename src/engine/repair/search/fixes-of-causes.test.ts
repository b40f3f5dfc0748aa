/** The fix of a cause does not depend on what was read before it was looked for. */
import { openAsBlob, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import { explained } from "#core/findings/explain.ts";
import { inWords } from "#core/findings/explained.ts";
import { droppedFiles } from "#io/local-files.ts";
import { checkSet } from "#engine/check/check-set.ts";
import { inThread } from "#engine/chunk/chunk-decoder.ts";
import { readChunk } from "#engine/chunk/read-chunk.ts";
import { openFiles } from "#engine/open/open-any.ts";
import { fixesOfCauses } from "./fixes-of-causes.ts";

const SAMPLES = join(import.meta.dirname, "../../../../public/samples");
const CONTEXT = { signal: new AbortController().signal, report: () => undefined };

/** The sample with three chunks of the first slice and most of a later one that begin five bytes late. */
const LATE = readFileSync(join(SAMPLES, "ocean-a.v0.json"), "utf8").replaceAll(
  /("sst\/(?:0\.0|1\.[01])\.\d": ?\[\s*"[^"]*",\s*)(\d+)/g,
  (_, before: string, offset: string) => before + String(Number(offset) + 5),
);

async function openLate() {
  const files = [
    { path: "set.json", blob: new Blob([LATE]) },
    { path: "ocean-a.nc", blob: await openAsBlob(join(SAMPLES, "ocean-a.nc")) },
  ];
  const opening = { locations: NO_LOCATIONS, network: {}, options: {}, context: CONTEXT };
  const opened = await openFiles(droppedFiles(files), opening);
  if (opened.kind !== "set") throw new Error(opened.title);
  return opened.set;
}

const slice = [0, 1, 2].flatMap((row) => [0, 1, 2].map((column) => [1, row, column]));

it("is the same after a slice, after one chunk, and after nothing", async () => {
  const fixes: (readonly string[])[] = [];
  for (const first of [slice, [[0, 0, 0]], []]) {
    const set = await openLate();
    for (const coordinates of first) await readChunk(set, "sst", coordinates, CONTEXT);
    const { findings } = await checkSet(set, { decoder: inThread, atHand: true }, CONTEXT);
    const causes = findings.map((found) => inWords(found, explained));
    const searched = await fixesOfCauses(set, causes, { isDeep: true }, CONTEXT);
    // The number of its chunks depends on how many were read.
    fixes.push([...searched.values()].flatMap(({ fix }) => fix?.title.replace(/ \(\d+\)$/, "") ?? []).toSorted());
  }
  expect(fixes[0]).toContain("Read 5 bytes earlier");
  expect(fixes).toEqual(fixes.map(() => fixes[0]));
});
