import { expect, it } from "vitest";
import { requireIcechunk } from "./run-icechunk.ts";

it("says what a run of Icechunk's library needs, before anything is checked", () => {
  const library = process.env.REFSCOPE_ICECHUNK;
  try {
    delete process.env.REFSCOPE_ICECHUNK;
    expect(() => requireIcechunk(["."], "xarray")).toThrow("say --reader icechunk");
    expect(() => requireIcechunk(["."], "icechunk")).toThrow("npm install @earthmover/icechunk");
  } finally {
    if (library !== undefined) process.env.REFSCOPE_ICECHUNK = library;
  }
});

it.skipIf(process.env.REFSCOPE_ICECHUNK === undefined)("runs on folders of this computer only", () => {
  expect(() => requireIcechunk(["https://example.org/repository"], "icechunk")).toThrow("folders of this computer");
});
