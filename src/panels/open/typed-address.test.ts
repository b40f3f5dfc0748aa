import { describe, expect, it } from "vitest";
import { readAddress } from "./typed-address.ts";

const read = (text: string) => readAddress(text, "https://tool.example/app/");

describe("what is typed for a URL", () => {
  it("takes URLs of any scheme as they are", () => {
    for (const url of ["https://a.example/x.json", "http://localhost:8000/x.json", "s3://bucket/x.json", "gs://b/x"])
      expect(read(`  ${url} `)).toEqual({ kind: "url", url });
  });

  it("knows paths, which a page cannot read", () => {
    const cases = {
      "C:\\fakepath\\x.json": "x.json",
      '"C:\\Users\\me\\my refs.json"': "my refs.json",
      "/home/me/x.json": "x.json",
      "~/x.json": "x.json",
      "file:///home/me/x.json": "x.json",
      "\\\\server\\share\\x.json": "x.json",
    };
    for (const [text, name] of Object.entries(cases)) expect(read(text)).toEqual({ kind: "path", name });
  });

  it("offers a scheme where only that is missing", () => {
    expect(read("data.example.org/ocean.json")).toEqual({
      kind: "no-scheme",
      suggestion: "https://data.example.org/ocean.json",
    });
    expect(read("localhost:8000/x.json")).toEqual({ kind: "no-scheme", suggestion: "http://localhost:8000/x.json" });
    expect(read("data.example.org")).toEqual({ kind: "no-scheme", suggestion: "https://data.example.org" });
    expect(read("//a.example/x")).toEqual({ kind: "no-scheme", suggestion: "https://a.example/x" });
  });

  it("resolves the rest against the page", () => {
    expect(read("samples/ocean.v1.json")).toEqual({
      kind: "url",
      url: "https://tool.example/app/samples/ocean.v1.json",
    });
    expect(read("ocean.json")).toEqual({ kind: "url", url: "https://tool.example/app/ocean.json" });
    expect(read("ocean")).toEqual({ kind: "word", text: "ocean" });
    expect(read("sea surface temperature")).toEqual({ kind: "word", text: "sea surface temperature" });
    expect(read("../x.json")).toEqual({ kind: "url", url: "https://tool.example/x.json" });
  });

  it("knows a document when it sees one, and nothing", () => {
    expect(read('{"refs": {}}')).toEqual({ kind: "json", text: '{"refs": {}}' });
    expect(read("  ")).toEqual({ kind: "empty" });
  });
});

it("reads paths where a server on this computer gives the page", () => {
  const page = "http://127.0.0.1:5000/abcdefghijklmnopqrstuvwxyz012345/";
  expect(readAddress("/home/me/a b.json", page)).toEqual({ kind: "url", url: "file:///home/me/a b.json" });
  expect(readAddress("file:///home/me/a.json", page)).toEqual({ kind: "url", url: "file:///home/me/a.json" });
  expect(readAddress("sub/a.json", page)).toEqual({ kind: "url", url: "http://127.0.0.1:5000/sub/a.json" });
});
