import { expect, it } from "vitest";
import { targetAt } from "#core/findings/fact.ts";
import {
  bytesOf,
  coordinates,
  flatBuffer,
  icechunkFile,
  id12,
  id8,
  table,
  tables,
} from "#formats/icechunk/testing/flat-writer.ts";
import type { Store } from "#io/store.ts";
import { manifestCache } from "./manifest-cache.ts";

const CONTEXT = { signal: new AbortController().signal, report: () => undefined };
const refs = () => tables([table(coordinates(0), bytesOf(Buffer.from("abc")))]);

/** A store in which every manifest has arrays with these node ids. */
function storeOf(nodes: readonly number[]) {
  const arrays = nodes.map((node) => table(id8(node), refs()));
  const bytes = new Uint8Array(icechunkFile(flatBuffer(table(id12(1), tables(arrays))), { type: 2 }));
  const asked: string[] = [];
  const get = (path: string) => {
    asked.push(path);
    return Promise.resolve({ kind: "present", bytes });
  };
  return { asked, store: { get } as unknown as Store };
}

it("keeps a manifest until all arrays in it have asked", async () => {
  const { asked, store } = storeOf([1, 2, 3]);
  const open = manifestCache(store);
  const { arrays } = await open("M", CONTEXT);
  for (const { node } of arrays) await open("M", CONTEXT, node);
  expect(asked).toEqual(["manifests/M"]);
  await open("M", CONTEXT, arrays[0]!.node);
  expect(asked).toHaveLength(2);
});

it("keeps none that has one array, and few others", async () => {
  const one = storeOf([1]);
  const open = manifestCache(one.store);
  await open("M", CONTEXT);
  await open("M", CONTEXT);
  expect(one.asked).toHaveLength(2);
  const two = storeOf([1, 2]);
  const openTwo = manifestCache(two.store);
  for (const id of ["A", "B", "C", "D", "E", "E", "A"]) await openTwo(id, CONTEXT);
  expect(two.asked.map((path) => path.slice(-1))).toEqual(["A", "B", "C", "D", "E", "A"]);
});

it("a manifest that may not be read is refused with the server's status", async () => {
  const get = () => Promise.resolve({ kind: "denied", status: 403 });
  const open = manifestCache({ get } as unknown as Store);
  await expect(open("M", CONTEXT)).rejects.toMatchObject({
    code: "icechunk-denied",
    finding: { place: targetAt("manifests/M"), facts: { status: 403 } },
  });
});
