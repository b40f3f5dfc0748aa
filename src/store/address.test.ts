import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CHUNK_TABS, formatAddress, parseAddress, type Address } from "./address.ts";
import { VIEW_NAMES } from "./views.ts";

describe("the address", () => {
  it("holds no signature or password of what is open", () => {
    const url = "https://user:pa55word@data.example/refs.json?X-Amz-Signature=5ec7e7";
    const link = formatAddress({ url, target: url });
    expect(link).not.toMatch(/pa55word|5ec7e7/);
    expect(parseAddress(link)).toEqual({ url: "https://…@data.example/refs.json?X-Amz-Signature=…" });
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
