/**
 * The corpus of real sets by other people's tools: every Kerchunk JSON file opens or says what it is, and every array
 * that this version can decode has the hash that Python recorded.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { corpus, recordedIn } from "../core/testing/corpus.ts";
import { digestArray, type ArrayDigest } from "../engine/digest/digest.ts";
import { openRefs } from "./open-refs.ts";
import { CONTEXT, hashOfRead, newHash, openEntry } from "./testing/open-corpus.ts";
import { factsOf } from "../core/findings/finding.ts";

const RECORDED = "kerchunk_json_decoded_with_zarr2.13_fsspec2024.6";

interface Recorded {
  readonly sha256_le_c_order?: string;
  /** For objects. */
  readonly sha256_json?: string;
  readonly error?: string;
  readonly dtype?: string;
}

/** Entries whose targets have addresses elsewhere than their names say; null URLs need a target. */
const OPTIONS: Readonly<Record<string, { readonly target?: string }>> = {
  "h5ad-dense-nullurl": { target: "dense.h5ad" },
};

/** Arrays left out, by codec. */
const leftOut = new Map<string, string[]>();

function recordedFiles(): [string, string, Record<string, Recorded>][] {
  return corpus.entries.flatMap((entry) => {
    const files = recordedIn<Record<string, Recorded>>(entry)[RECORDED] ?? {};
    return Object.entries(files).map(([file, arrays]): [string, string, Record<string, Recorded>] => [
      entry,
      file,
      arrays,
    ]);
  });
}

describe(corpus.title, () => {
  it.each(recordedFiles())("%s: %s decodes as Python decodes it", async (entry, file, arrays) => {
    const set = await openEntry(entry, file, OPTIONS[entry]?.target);
    for (const [path, recorded] of Object.entries(arrays)) {
      const node = set.hierarchy.nodes.get(path);
      if (node?.kind !== "array") throw new Error(`${path} is ${node?.kind ?? "not there"}`);
      const { digest } = await digestArray(set, node, { newHash, perChunk: false }, CONTEXT);
      compare(`${file}: ${path}`, recorded, digest);
      if (digest.sha256 !== undefined) expect(await hashOfRead(set, node), `read ${path}`).toBe(digest.sha256);
    }
  });

  afterAll(() => {
    for (const [codec, arrays] of leftOut) {
      console.log(`no decoder for “${codec}”: ${arrays.length} arrays\n  ${arrays.slice(0, 5).join("\n  ")}`);
    }
  });
});

function compare(path: string, recorded: Recorded, digest: ArrayDigest): void {
  const reasons = Object.values(digest.errors ?? {});
  const codec = factsOf(reasons[0], "codec-unknown")?.codec;
  if (recorded.error !== undefined) expect(reasons, path).not.toEqual([]);
  else if (codec !== undefined) leftOut.set(codec, [...(leftOut.get(codec) ?? []), path]);
  else {
    const expected = { sha256: recorded.sha256_le_c_order ?? recorded.sha256_json, sha256_json: recorded.sha256_json };
    expect({ path, reasons: reasons.slice(0, 3), sha256: digest.sha256, sha256_json: digest.sha256_json }).toEqual({
      path,
      reasons: [],
      ...expected,
    });
  }
}

function jsonFiles(): [string, string][] {
  return corpus.entries.flatMap((entry) =>
    readdirSync(join(corpus.folder, entry))
      .filter((name) => /\.json(?:\.gz)?$/.test(name))
      .map((name): [string, string] => [entry, `${entry}/${name}`]),
  );
}

describe(`every JSON file of ${corpus.title}`, () => {
  it.each(jsonFiles())("%s: %s opens, or says what it is", async (entry, file) => {
    const options = { json: true, chunks: false, offline: true, choice: undefined, target: OPTIONS[entry]?.target };
    const context = { signal: new AbortController().signal, report: () => undefined };
    const opened = await openRefs(
      join(corpus.folder, file),
      { ...options, root: join(corpus.folder, entry) },
      context,
    ).catch((error: unknown) => error);
    if (opened instanceof Error) {
      expect(opened.name).toBe("RefscopeError");
      return;
    }
    const result = opened as Awaited<ReturnType<typeof openRefs>>;
    if (result.kind === "choose") expect(result.choices.length).toBeGreaterThan(0);
    else expect(result.set.keys).toBeGreaterThan(0);
  });
});
