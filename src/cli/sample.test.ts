/** `digest --chunks` on the sample: the hash of every chunk is the one that Python recorded. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT, runCommand, startCommand } from "./testing/run-command.ts";

interface Digest {
  readonly arrays: Record<string, { readonly sha256?: string; readonly chunk_sha256: Record<string, string> }>;
}
interface Truth {
  readonly arrays: Record<string, { readonly chunks_read: Record<string, { readonly sha256?: string }> }>;
}

const digest = (...args: string[]) => ["digest", "--json", "--chunks", ...args];

function expectedHashes(name: string): Record<string, Record<string, string>> {
  const truth = JSON.parse(readFileSync(join(ROOT, "src/engine/fixtures", name), "utf8")) as Truth;
  const arrays = Object.entries(truth.arrays).map(([path, { chunks_read: read }]) => {
    const hashes = Object.entries(read).flatMap(([key, { sha256 }]) => (sha256 === undefined ? [] : [[key, sha256]]));
    return [path, Object.fromEntries(hashes)];
  });
  return Object.fromEntries(arrays) as Record<string, Record<string, string>>;
}

const hashesOf = ({ arrays }: Digest) =>
  Object.fromEntries(Object.entries(arrays).map(([path, array]) => [path, array.chunk_sha256]));

it("equals Python's, chunk by chunk, also for several sets at once", async () => {
  const [both, one] = ["public/samples/ocean.v1.json", "public/samples/ocean-a.v0.json"];
  const { stdout } = await startCommand(digest("--root", "public/samples", both, one));
  const digests = JSON.parse(stdout) as Record<string, Digest>;
  expect(Object.keys(digests)).toEqual([both, one]);
  expect(hashesOf(digests[both]!)).toEqual(expectedHashes("ocean.v1.truth.json"));
  expect(hashesOf(digests[one]!)).toEqual(expectedHashes("ocean-a.v1.truth.json"));
  expect(Object.values(digests[both]!.arrays).every(({ sha256 }) => sha256 !== undefined)).toBe(true);
});

it("finds relative targets beside the document without --root", async () => {
  const { stdout } = await runCommand(digest("public/samples/ocean-a.v1.json"));
  const { arrays } = JSON.parse(stdout) as Digest;
  expect(Object.values(arrays).every(({ sha256 }) => sha256 !== undefined)).toBe(true);
});

it("exits with 1 and lists the chunks where some fail", async () => {
  const { status, stdout } = await runCommand(digest("public/samples/ocean-broken.json"));
  expect(status).toBe(1);
  const { arrays } = JSON.parse(stdout) as {
    arrays: Record<string, { errors?: Record<string, string>; sha256?: string }>;
  };
  expect(Object.keys(arrays.sst!.errors ?? {}).sort()).toEqual(["0.0.1", "1.0.0", "2.0.1", "5.2.2"]);
  expect(Object.keys(arrays.ice!.errors ?? {})).toEqual(["0.0.0"]);
  expect(arrays.sst!.sha256).toBeUndefined();
  expect(arrays.u!.sha256).toBeDefined();
});
