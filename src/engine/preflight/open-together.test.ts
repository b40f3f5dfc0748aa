import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { NO_LOCATIONS } from "../../core/byte-source.ts";
import { droppedFiles } from "../../io/local-files.ts";
import { openFiles } from "../open/open-any.ts";
import { readChunk } from "../chunk/read-chunk.ts";

const FILES = join(import.meta.dirname, "fixtures/files");
const CONTEXT = { signal: new AbortController().signal, report: () => undefined };
const network = { http: { fetch: () => Promise.reject(new Error("There is no network.")), attempts: 1 } };

const open = (names: readonly string[], choice?: string) => {
  const blobs = names.map((path) => ({ path, blob: new Blob([new Uint8Array(readFileSync(join(FILES, path)))]) }));
  return openFiles(droppedFiles(blobs), { locations: NO_LOCATIONS, network, options: { choice }, context: CONTEXT });
};

describe("data files that are given together", () => {
  it("are offered as one dataset, and opened as that", async () => {
    const names = ["lastp_0.nc", "lastp_1.nc", "lastp_2.nc"];
    const offered = await open(names);
    if (offered.kind !== "choose") throw new Error("They were opened.");
    expect(offered.title).toBe("3 of these can be opened");
    const [all] = offered.choices;
    expect(all?.label).toBe("All 3 as one dataset");
    const opened = await open(names, all?.id);
    if (opened.kind !== "set") throw new Error(opened.title);
    expect(opened.set.hierarchy.nodes.get("tas")).toMatchObject({ metadata: { shape: [11, 6, 8] } });
    const { reading } = await readChunk(opened.set, "tas", [0, 0, 0], CONTEXT);
    expect(reading).toMatchObject({ outcome: "ok" });
  });

  it("are refused with what stands against it", async () => {
    const opening = open(["pack_0.nc", "pack_1.nc"], "\ntogether");
    await expect(opening).rejects.toMatchObject({
      code: "files-not-one",
      finding: { facts: { files: 2, barriers: [{ message: expect.stringContaining("tas") as unknown }] } },
    });
  });
});
