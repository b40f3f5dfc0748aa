/** The array metadata of the largest public stores that name gribberish: each is read as it is, and none is refused. */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { codecLabels, undecodable } from "../pipeline.ts";
import { FLAGSHIP } from "#core/testing/flagship.ts";
import { isWholeHere, metadataOf } from "../testing/published-grib.ts";

interface Kind {
  readonly shape: readonly number[];
  readonly chunk_shape: readonly number[];
  readonly data_type: string;
  readonly fill_value: unknown;
  readonly codecs: readonly { readonly name: string }[];
  readonly dimension_names: readonly string[];
  readonly count: number;
}

interface Facts {
  readonly datasets: readonly { readonly template: string; readonly kinds: readonly Kind[] }[];
}

const read = (path: string) => JSON.parse(readFileSync(path, "utf8")) as Facts;
const ours = read(resolve(import.meta.dirname, "fixtures/dynamical.json"));

function throughGribberish({ datasets }: Facts) {
  return datasets.flatMap(({ template, kinds }) =>
    kinds
      .filter(({ codecs }) => codecs.some(({ name }) => name === "gribberish"))
      .map((kind) => ({ template, ...kind })),
  );
}

describe("published metadata", () => {
  it("with gribberish are of 407 arrays, and all can be decoded", async () => {
    let accepted = 0;
    for (const { template, count, codecs, shape, chunk_shape, data_type, fill_value } of throughGribberish(ours)) {
      const metadata = metadataOf({ codecs, array: { data_type, chunk_shape } }, { shape, fill_value });
      expect(await undecodable(metadata), template).toBeUndefined();
      const labels = await codecLabels(metadata);
      expect(labels.filter(({ error }) => error !== undefined)).toEqual([]);
      expect(labels[0]?.label).toBe("GRIB message, values as float64, from 180° west, north up");
      accepted += count;
    }
    expect(accepted).toBe(407);
  });

  it.skipIf(!isWholeHere)("are those of the whole collection beside the project", () => {
    const whole = throughGribberish(read(join(FLAGSHIP, "metadata/dynamical.json")));
    expect(whole.map(({ template, codecs, count }) => ({ template, codecs, count }))).toEqual(
      throughGribberish(ours).map(({ template, codecs, count }) => ({ template, codecs, count })),
    );
  });
});
