/**
 * Recorded cases of sharded arrays, most confirmed by zarr-python 3: the project's own copy, or all of
 * `../shared/fixtures/sharded` where that is beside the project.
 */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { droppedFiles, type LocalFiles } from "#io/local-files.ts";

export interface ShardedExpectation {
  readonly ok: boolean;
  readonly values: readonly unknown[];
  readonly faults: readonly {
    readonly shard: string | null;
    readonly inner: number | null;
    readonly fault: string;
    readonly with?: readonly number[];
  }[];
  readonly shards: Readonly<
    Record<
      string,
      {
        readonly bytes: number;
        readonly index: { readonly at: number; readonly bytes: number };
        readonly gaps: readonly (readonly number[])[];
      }
    >
  >;
}

export interface ShardedCase {
  readonly name: string;
  readonly files: LocalFiles;
  readonly expected: ShardedExpectation;
}

const shared = resolve(import.meta.dirname, "../../..", process.env.REFSCOPE_SHARED ?? "../shared", "fixtures/sharded");
const own = join(import.meta.dirname, "sharded");

export async function shardedCases(): Promise<readonly ShardedCase[]> {
  const folder = existsSync(shared) ? shared : own;
  const expected = JSON.parse(readFileSync(join(folder, "expected.json"), "utf8")) as Record<
    string,
    ShardedExpectation
  >;
  return Object.entries(expected).map(([name, expectation]) => ({
    name,
    files: filesOf(join(folder, name)),
    expected: expectation,
  }));
}

function filesOf(folder: string): LocalFiles {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) => join(folder, path));
  const files = paths.filter((path) => statSync(path).isFile());
  return droppedFiles(
    files.map((path) => ({ path: relative(folder, path).split(sep).join("/"), blob: new Blob([readFileSync(path)]) })),
  );
}
