import { expect, it } from "vitest";
import { licences } from "./third-party-plugin.mjs";

it("names every package that is shipped, with its text", () => {
  const text = licences();
  for (const name of ["react", "monaco-editor", "nunjucks", "reference-spec-reader", "zarrita", "zstddec", "hyparquet"])
    expect(text).toMatch(new RegExp(`^## ${name} \\d`, "m"));
  expect(text).not.toMatch(/^## (?:vitest|oxlint|typescript) /m);
  expect(text).toContain("Permission is hereby granted, free of charge");
});
