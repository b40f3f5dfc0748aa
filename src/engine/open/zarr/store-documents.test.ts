import { expect, it } from "vitest";
import { keyAt } from "../../../core/findings/place.ts";
import type { Store } from "../../../io/store.ts";
import { CONTEXT } from "../../fixtures/plain-table.ts";
import { storeDocuments } from "./store-documents.ts";

it("says which documents of a store are denied, and goes on with the others", async () => {
  const texts = new Map([["a/.zarray", "{}"]]);
  const store = {
    keys: ["a/.zarray", "a/.zattrs", "a/0"],
    sizeOf: () => undefined,
    get(key: string) {
      const text = texts.get(key);
      if (text === undefined) return Promise.resolve({ kind: "denied", status: 403 });
      return Promise.resolve({ kind: "present", bytes: new TextEncoder().encode(text) });
    },
  } as unknown as Store;
  const { documents, findings } = await storeDocuments(store, [], CONTEXT);
  expect([...documents.keys()]).toEqual(["a/.zarray"]);
  expect(findings).toMatchObject([{ code: "key-denied", place: keyAt("a/.zattrs"), facts: { status: 403 } }]);
});
