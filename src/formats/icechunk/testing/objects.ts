/** For tests: repositories in memory or in a folder, and Zstandard. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { decompressWith, prepareDictionary } from "#io/zstd-dictionary.ts";
import type { IcechunkObjects, IcechunkZstd } from "../types.ts";
import repositories from "../fixtures/repositories.json" with { type: "json" };

export const SHARED = resolve(process.env["REFSCOPE_SHARED"] ?? "../shared");
export const hasShared = existsSync(join(SHARED, "fixtures/icechunk"));

export const testZstd: IcechunkZstd = {
  decompress: (bytes, { dictionary, limit }) =>
    decompressWith(dictionary === undefined ? undefined : prepareDictionary(dictionary), bytes, limit),
  prepare: (dictionary) => {
    const prepared = prepareDictionary(dictionary);
    return (frame, limit) => decompressWith(prepared, frame, limit);
  },
};

export type FixtureName = keyof typeof repositories;

export function fixtureFiles(name: FixtureName): ReadonlyMap<string, Uint8Array> {
  return new Map(Object.entries(repositories[name]).map(([path, text]) => [path, Buffer.from(text, "base64")]));
}

export function objectsOf(files: ReadonlyMap<string, Uint8Array>): Required<IcechunkObjects> {
  return {
    get: (path) => Promise.resolve(files.get(path)),
    list: (prefix) => Promise.resolve([...files.keys()].filter((path) => path.startsWith(prefix))),
  };
}

/** The same without listing. */
export function unlisted({ get }: IcechunkObjects): IcechunkObjects {
  return { get };
}

export function folderFiles(folder: string): ReadonlyMap<string, Uint8Array> {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) => join(folder, path));
  const files = paths.filter((path) => statSync(path).isFile());
  return new Map(files.map((path) => [relative(folder, path), readFileSync(path)]));
}
