import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CHUNK_TABS, formatAddress, parseAddress, parseSlice, sliceText, type Address } from "./address.ts";
import { VIEW_NAMES } from "./views.ts";

describe("the address", () => {
  it("holds no signature or password of what is open", () => {
    const url = "https://user:pa55word@data.example/refs.json?X-Amz-Signature=5ec7e7";
    const link = formatAddress({ url, target: url, with: url });
    expect(link).not.toMatch(/pa55word|5ec7e7/);
    expect(parseAddress(link)).toEqual({ url: "https://…@data.example/refs.json?X-Amz-Signature=…" });
  });

  it("leads to datasets that are named by a parameter", () => {
    const url = "https://data.example/download?id=42&format=nc";
    expect(parseAddress(formatAddress({ url, target: url }))).toEqual({ url, target: url });
  });

  it("reads what the contract writes", () => {
    expect(parseAddress("#url=https://h/a.json&array=g/sst&chunk=0.3.1&view=chunks")).toEqual({
      url: "https://h/a.json",
      array: "g/sst",
      chunk: [0, 3, 1],
      view: "chunks",
    });
  });

  it("knows the views of older links by the one that has taken their place", () => {
    for (const view of ["manifest", "grid", "shard"]) expect(parseAddress(`#view=${view}`)).toEqual({ view: "chunks" });
  });

  it("names a branch, tag or snapshot of a repository, legibly", () => {
    const hash = "#url=https://h/repo&ref=branch:feature/x&array=air/temp&chunk=0.1&view=history";
    expect(parseAddress(hash)).toMatchObject({ ref: "branch:feature/x", view: "history" });
    expect(formatAddress(parseAddress(hash))).toBe(hash);
    expect(parseAddress("#url=https://h/repo&ref=")).toEqual({ url: "https://h/repo" });
  });

  it("names the set to compare with", () => {
    const hash = "#url=https://h/a.json&view=compare&with=https://h/b.json";
    expect(parseAddress(hash)).toMatchObject({ view: "compare", with: "https://h/b.json" });
    expect(formatAddress(parseAddress(hash))).toBe(hash);
  });

  it("reads an element's position strictly", () => {
    expect(parseAddress("#point=2,31,59")).toEqual({ point: [2, 31, 59] });
    for (const wrong of ["", "2,", "-1,2", "1.5", "1,,2", "9".repeat(16), Array(33).fill("1").join(",")]) {
      expect(parseAddress(`#point=${wrong}`)).toEqual({});
    }
  });

  it("ignores what it does not know", () => {
    expect(parseAddress("#view=nonsense&chunk=a.b&color=red&tab=view")).toEqual({});
    expect(parseAddress("")).toEqual({});
  });

  it("survives characters that addresses treat specially", () => {
    const text = fc.string({ minLength: 1, unit: "grapheme" });
    const address: fc.Arbitrary<Address> = fc.record(
      {
        url: text,
        set: text,
        ref: text,
        array: text,
        chunk: fc.array(fc.nat(), { minLength: 1, maxLength: 5 }),
        view: fc.constantFrom(...VIEW_NAMES),
        point: fc.array(fc.nat(), { minLength: 1, maxLength: 5 }),
        tab: fc.constantFrom(...CHUNK_TABS),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(address, (one) => {
        expect(parseAddress(formatAddress(one))).toEqual(one);
      }),
    );
  });
});

const SHAPE = [24, 90, 180];

describe("a slice as text", () => {
  it("says which dimensions are shown, where the others stand, and which part is seen", () => {
    expect(parseSlice("5,:,:", SHAPE)).toMatchObject({
      plane: { row: 1, column: 2, at: [5, 0, 0] },
      seen: new Map(),
    });
    expect(parseSlice("0:5,:,3", SHAPE)).toMatchObject({
      plane: { row: 0, column: 1, at: [0, 0, 3] },
      seen: new Map([[0, { from: 0, to: 5 }]]),
    });
    expect(parseSlice("3,4,10:20", SHAPE)?.plane).toEqual({ row: undefined, column: 2, at: [3, 4, 0] });
  });

  it("is none where it is not one of the array, or not shown as it says", () => {
    for (const text of ["24,:,:", ":,:,:", "0,5:5,:", "0,::2,:", "0,1,2,3"]) {
      expect(parseSlice(text, SHAPE)).toBeUndefined();
    }
  });

  it("comes back from what is written", () => {
    const span = (length: number) =>
      fc
        .tuple(fc.nat(length - 2), fc.nat(length - 1))
        .map(([from, more]) => ({ from, to: Math.min(length, from + 1 + more) }));
    fc.assert(
      fc.property(fc.nat(23), span(90), span(180), (time, rows, columns) => {
        const plane = { row: 1, column: 2, at: [time, 0, 0] };
        const text = sliceText(
          {
            plane,
            seen: new Map([
              [1, rows],
              [2, columns],
            ]),
          },
          SHAPE,
        );
        const back = parseSlice(text, SHAPE);
        expect(back?.plane).toEqual(plane);
        expect(back && sliceText(back, SHAPE)).toBe(text);
      }),
    );
  });
});
