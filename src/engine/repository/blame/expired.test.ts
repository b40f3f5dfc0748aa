/** Commits that have expired: their transaction logs may be kept for the snapshot that stands for them, or be gone. */
import { describe, expect, it } from "vitest";
import { CONTEXT } from "../testing/open.ts";
import { blameArray } from "./blame-array.ts";
import { chunkLife } from "./chunk-life.ts";
import { expiredHistory, linesOf, recordedHistories } from "./testing/histories.ts";
import { amendmentReader } from "./walk-commits.ts";

const { files, truth } = recordedHistories()["format-2"]!;
const CHAINS = Object.values(truth.ancestry).filter((chain) => chain.length > 4);
const CASES = CHAINS.flatMap((chain) =>
  [2, 3, chain.length - 2].map((kept) => [`${chain[0]} with ${kept} commits kept`, chain, kept] as const),
);

describe.each(CASES)("%s", (_title, chain, kept) => {
  const [snapshot = ""] = chain;
  const oldest = chain[kept - 1] ?? "";
  const isKept = (id: string) => chain.indexOf(id) < kept;
  const arrays = Object.entries(truth.snapshots[snapshot]?.arrays ?? {});

  it("blames expired commits whose logs are kept", async () => {
    const opened = await expiredHistory(files, chain, kept, "logs");
    for (const [array, { chunks, gone }] of arrays) {
      const { blame, by: column, kinds } = await blameArray(opened, { array, snapshot }, CONTEXT);
      const lines = linesOf(blame, { array, from: 0, by: column, kinds });
      for (const [chunk, { by, kind }] of Object.entries(chunks)) expect(lines.get(chunk)).toBe(`${kind} ${by}`);
      for (const { id, expired, message } of blame.commits) {
        expect(expired).toBe(!isKept(id));
        expect(message).toBe(expired ? "" : truth.messages[id]);
      }
      for (const [chunk, { by, how }] of Object.entries(gone))
        if (isKept(by)) expect(lines.get(chunk)).toBe(`${how} ${by}`);
    }
  });

  it("does not blame expired commits beneath a log that is not there", async () => {
    const rest = new Map([...files].filter(([path]) => path !== `transactions/${oldest}`));
    const opened = await expiredHistory(rest, chain, kept, "logs");
    for (const [array, { chunks }] of arrays) {
      const { blame, by: column, kinds } = await blameArray(opened, { array, snapshot }, CONTEXT);
      const lines = linesOf(blame, { array, from: 0, by: column, kinds });
      const sure = new Set(chain.slice(0, kept - 1));
      for (const [chunk, { by, kind }] of Object.entries(chunks))
        expect(lines.get(chunk)).toBe(sure.has(by) ? `${kind} ${by}` : `${kind} ${oldest} or earlier`);
    }
  });

  it.each(["gone", "missing", "circle"] as const)(
    "says “or earlier” where the logs are gone (%s parent)",
    async (how) => {
      const opened = await expiredHistory(files, chain, kept, how);
      for (const [array, { chunks, gone }] of arrays) {
        const { blame, by: column, kinds } = await blameArray(opened, { array, snapshot }, CONTEXT);
        const lines = linesOf(blame, { array, from: 0, by: column, kinds });
        for (const [chunk, { by, kind }] of Object.entries(chunks)) {
          expect(lines.get(chunk)).toBe(isKept(by) ? `${kind} ${by}` : `${kind} ${oldest} or earlier`);
          const { events } = await chunkLife(opened, { array, snapshot, chunk: chunk.split(".").map(Number) }, CONTEXT);
          expect(events[0]?.commit).toMatchObject({ id: isKept(by) ? by : oldest, orEarlier: !isKept(by) });
        }
        for (const [chunk, { by }] of Object.entries(gone)) if (!isKept(by)) expect(lines.get(chunk)).toBe("absent");
        const isIncomplete = Object.values({ ...chunks, ...gone }).some(({ by }) => !isKept(by));
        if (isIncomplete) expect(blame.findings.map(({ code }) => code)).toContain("icechunk-history-incomplete");
      }
    },
  );
});

it("knows the commits that replaced one from older parts of the log of operations too", async () => {
  const older = "repo.older";
  const withOlder = new Map([...files, [`overwritten/${older}`, files.get("repo")!]]);
  const opened = await expiredHistory(withOlder, CHAINS[0]!, 2, "logs");
  const { info } = opened.repository;
  const amended = info!.updates.flatMap((update) => (update.kind === "amended" ? [update.snapshot] : []));
  const cut = (file: string) =>
    amendmentReader(
      { ...opened, repository: { ...opened.repository, info: { ...info!, updates: [], updatesContinueIn: file } } },
      CONTEXT,
    );
  expect(amended.length).toBeGreaterThan(0);
  for (const id of CHAINS[0]!) expect(await cut(older)(id)).toBe(amended.includes(id));
  for (const id of amended) expect(await cut(older)(id)).toBe(true);
  expect(await cut("not-there")(CHAINS[0]![0]!)).toBe(true);
});
