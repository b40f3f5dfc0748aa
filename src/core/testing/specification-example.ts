/** For tests: the example of Kerchunk's references specification, Version 1. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";

export const EXAMPLE_TEXT = readFileSync(
  resolve(import.meta.dirname, "../../../public/samples/specification.v1.json"),
  "utf8",
);

interface Example {
  readonly version: 1;
  readonly templates: Readonly<Record<string, string>>;
  readonly gen: readonly object[];
  readonly refs: Readonly<Record<string, unknown>>;
}

export const EXAMPLE = JSON.parse(EXAMPLE_TEXT) as Example;
