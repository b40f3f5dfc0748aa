import { describe, expect, it } from "vitest";
import { bucketUrl } from "#io/resolve.ts";
import { storesMatching, verifiedWords, withReads, type Gallery } from "./gallery.ts";
import data from "./stores.json" with { type: "json" };

const gallery: Gallery = data;
const stores = gallery.groups.flatMap((group) => group.stores);

describe("the list of public stores", () => {
  it("names each once, with an address that may be opened from a page and where it was found", () => {
    expect(stores.length).toBeGreaterThanOrEqual(12);
    for (const of of ["id", "name", "address"] as const)
      expect(new Set(stores.map((store) => store[of])).size).toBe(stores.length);
    for (const { id, address, published } of stores) {
      expect(id).toMatch(/^[a-z\d-]+$/);
      expect(new URL(address).protocol).toBe("https:");
      expect(new URL(published.where).protocol).toBe("https:");
    }
  });

  it.each(stores.filter(({ published }) => /^(?:s3|gs):/.test(published.address)))(
    "$id: the address of the bucket is the one that a target there has",
    ({ address, published }) => {
      const scheme = published.address.split(":", 1)[0]!;
      const found = bucketUrl(published.address.replace(/\/$/, ""), scheme, published.region ?? undefined);
      expect(found).toMatchObject({ kind: "url", url: address.replace(/\/$/, "") });
    },
  );

  it.each(stores)("$id: one sentence says what it shows, and a date when it was read", ({ shows, lastRead }) => {
    expect(shows).toMatch(/^[A-Z].*[^.]\.$/);
    expect(shows.length).toBeLessThan(160);
    if (lastRead !== null) expect(lastRead).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  });
});

describe("searching", () => {
  it("takes all words, in whatever is said of a store, and leaves out empty groups", () => {
    const found = storesMatching(gallery, " virtual GRIB ");
    expect(found.map(({ name }) => name)).toEqual(["Weather forecasts"]);
    expect(found[0]!.stores.every(({ format }) => format.includes("GRIB"))).toBe(true);
    expect(storesMatching(gallery, "")).toEqual(gallery.groups);
    expect(storesMatching(gallery, "no such thing")).toEqual([]);
  });
});

it("a check changes the date and nothing else", () => {
  const [first, second] = stores as [(typeof stores)[0], (typeof stores)[0]];
  const after = withReads(gallery, new Map([[first.id, { date: "2026-11-23", crossOrigin: false }]]));
  const now = after.groups.flatMap((group) => group.stores);
  expect(now[0]).toEqual({ ...first, lastRead: "2026-11-23", crossOrigin: false });
  expect(now[1]).toBe(second);
});

it("says whether a store was read, and by whom it can be", () => {
  expect(verifiedWords({ lastRead: null, crossOrigin: null })).toBe("not yet verified");
  expect(verifiedWords({ lastRead: "2026-11-23", crossOrigin: true })).toBe("read 2026-11-23");
  expect(verifiedWords({ lastRead: "2026-11-23", crossOrigin: false })).toBe(
    "read 2026-11-23, but not from pages (CORS)",
  );
});
