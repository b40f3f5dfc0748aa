/** For tests: bytes that numcodecs decoded (fixtures/README.md). */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { JsonValue } from "#core/json/json.ts";

interface Recorded {
  readonly name: string;
  readonly id: string;
  readonly configuration: Readonly<Record<string, JsonValue>>;
  /** Base64. */
  readonly stored: string;
  readonly decoded: string;
}

const path = resolve(import.meta.dirname, "../fixtures/numcodecs.json");
export const recorded = JSON.parse(readFileSync(path, "utf8")) as readonly Recorded[];
