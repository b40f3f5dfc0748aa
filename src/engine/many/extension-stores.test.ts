/** Stores of Zarr v3's registered extensions, virtual-tiff's codecs and `log_bins`, opened from files and read whole: as Python reads them. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { explained } from "../../core/findings/explain.ts";
import { explainedText } from "../../core/findings/explained.ts";
import { RefscopeError } from "../../core/errors.ts";
import { differenceFrom, openedFiles, type RecordedArray } from "../testing/recorded-arrays.ts";

interface Recorded {
  readonly id: string;
  readonly array: string;
  readonly expected?: RecordedArray;
  /** Why zarr-python refuses it. */
  readonly error?: string;
}

type Files = Readonly<Record<string, Uint8Array<ArrayBuffer>>>;

const OURS = resolve(import.meta.dirname, "../fixtures/extension-stores/stores.json");
const SHARED = resolve(import.meta.dirname, "../../..", process.env["REFSCOPE_SHARED"] ?? "../shared");
const WHOLE = join(SHARED, "fixtures/flagship");
const read = (path: string) => JSON.parse(readFileSync(path, "utf8")) as unknown;

interface Stored extends Recorded {
  /** Texts by their paths. */
  readonly documents: Readonly<Record<string, string>>;
  /** Base64. */
  readonly chunks: Readonly<Record<string, string>>;
}

function filesOf({ documents, chunks }: Stored): Files {
  const files = [
    ...Object.entries(documents).map(([path, text]) => [path, Buffer.from(text)] as const),
    ...Object.entries(chunks).map(([path, base64]) => [path, Buffer.from(base64, "base64")] as const),
  ];
  return Object.fromEntries(files.map(([path, bytes]) => [`s.zarr/${path}`, new Uint8Array(bytes)]));
}

function filesIn(folder: string): Files {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const files = names.filter((name) => statSync(join(folder, name)).isFile());
  return Object.fromEntries(files.map((name) => [`s.zarr/${name}`, new Uint8Array(readFileSync(join(folder, name)))]));
}

/** What is wrong, if anything; of what is refused the code and its sentence. */
async function outcomeOf({ expected, array }: Recorded, files: Files): Promise<string | undefined> {
  try {
    return await differenceFrom(expected ?? { shape: [], dtype: "" }, await openedFiles(files), array);
  } catch (error) {
    if (error instanceof RefscopeError) return `${error.finding.code}: ${explainedText(error.finding, explained)}`;
    throw error;
  }
}

describe("stores with registered extensions", () => {
  const ours = read(OURS) as readonly Stored[];

  it.each(ours.filter(({ expected }) => expected !== undefined))("$id", async (one) => {
    expect(await outcomeOf(one, filesOf(one))).toBeUndefined();
  });

  it("whose fill value scale_offset cannot encode are refused, as zarr-python refuses them", async () => {
    const refused = ours.filter(({ error }) => error !== undefined);
    expect(refused).toHaveLength(1);
    for (const one of refused) {
      expect(await outcomeOf(one, filesOf(one))).toMatch(/zarr\.json cannot be understood.*scale_offset can encode/);
    }
  });

  it.skipIf(!existsSync(join(WHOLE, "cases.json")))(
    `beside the project (${WHOLE}): every one that has no rectilinear grid`,
    async () => {
      const cases = read(join(WHOLE, "cases.json")) as readonly (Recorded & { kind: string; file: string })[];
      const stores = cases.filter(({ kind, id }) => kind === "store" && !id.includes("-rect-"));
      const outcomes = await Promise.all(
        stores.map(async (one) => ({ one, outcome: await outcomeOf(one, filesIn(join(WHOLE, one.file))) })),
      );
      const wrong = outcomes.filter(({ one, outcome }) =>
        one.error === undefined ? outcome !== undefined : outcome?.includes("cannot be understood") !== true,
      );
      expect(wrong.map(({ one, outcome }) => `${one.id}: ${outcome}`)).toEqual([]);
      expect(stores).toHaveLength(89);
    },
  );
});
