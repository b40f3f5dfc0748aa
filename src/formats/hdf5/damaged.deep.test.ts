/** Ten thousand damaged files: each is read, or what is wrong with it is named, and none takes long. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inflateSync } from "node:zlib";
import { expect, it } from "vitest";
import { fileBytes, LOCAL } from "#core/file-bytes.ts";
import { RefscopeError } from "#core/findings/finding.ts";
import { bytesSource } from "#io/file.ts";
import { readHdf5 } from "./read-hdf5.ts";

const FOLDER = join(import.meta.dirname, "fixtures");
const CONTEXT = { signal: new AbortController().signal, report: () => undefined };
const ROUNDS = 10_000;

it("are named or read", { timeout: 300_000 }, async () => {
  const names = readdirSync(FOLDER).filter((name) => /\.(?:h5|nc)$/.test(name));
  let seed = 11;
  const next = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
  let slowest = 0;
  const others: string[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const name = names[round % names.length] as string;
    const bytes = new Uint8Array(readFileSync(join(FOLDER, name)));
    const flips = 1 + next(12);
    for (let flip = 0; flip < flips; flip += 1) bytes[next(bytes.length)] = flip % 3 === 0 ? 0xff : next(256);
    const cut = round % 7 === 0 ? bytes.slice(0, next(bytes.length)) : bytes;
    const began = performance.now();
    const inflate = async (stored: Uint8Array, most: number) => {
      try {
        return new Uint8Array(inflateSync(stored, { maxOutputLength: Math.max(1, most) }));
      } catch {
        return new Uint8Array(most);
      }
    };
    const file = fileBytes(bytesSource(cut, name), CONTEXT, LOCAL);
    await readHdf5(file, { inflate, decode: async (_filters, stored) => stored }).catch((error: unknown) => {
      if (!(error instanceof RefscopeError && error.code.startsWith("data-file")))
        others.push(`${name}: ${String(error)}`);
    });
    slowest = Math.max(slowest, performance.now() - began);
  }
  expect(others).toEqual([]);
  console.log(`The slowest of ${ROUNDS} damaged HDF5 files took ${slowest.toFixed(0)} ms.`);
});
