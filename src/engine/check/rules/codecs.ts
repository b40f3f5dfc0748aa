/** Codecs in the metadata that no reader has, or that few have. */
import { finding, nodeAt } from "#core/findings/finding.ts";
import type { ArrayMetadata } from "#core/metadata/array-metadata.ts";
import { nearestName } from "#core/words/near-name.ts";
import type { SetRule } from "#engine/rules/rule.ts";

export const codecs: SetRule = {
  id: "codecs",
  codes: ["codec-unregistered", "codec-package-needed"],
  async run({ arrays }, sink) {
    const names = new Set(arrays.flatMap(({ metadata }) => idsOf(metadata)));
    // Opening a set of Zarr v2 needs no codecs; nor does one without any.
    const known = names.size === 0 ? undefined : await knownCodecs();
    for (const { path, metadata } of known === undefined ? [] : arrays) {
      for (const codec of new Set(idsOf(metadata))) {
        if (known?.isBuilt(codec, metadata.zarrFormat) === true) continue;
        const words = known?.words(codec, metadata.zarrFormat);
        const nearest = nearestName(codec, known?.names ?? []);
        if (words === undefined) sink(finding("codec-unregistered", nodeAt(path), { codec, nearest }));
        else sink(finding("codec-package-needed", nodeAt(path), { codec, words }));
      }
    }
    return { unit: "arrays", of: arrays.length, lookedAt: arrays.length, sampled: 0 };
  },
};

const idsOf = ({ decoding, sharding }: ArrayMetadata): readonly string[] =>
  [...decoding, ...(sharding?.indexCodecs ?? [])].map(({ id }) => id);

async function knownCodecs() {
  const [{ codecDescriptions, codecTraits, findCodec, findCodecV3 }, { knownByName }] = await Promise.all([
    import("#codecs/find-codec.ts"),
    import("#codecs/not-built.ts"),
  ]);
  const find = (id: string, zarrFormat: 2 | 3) => (zarrFormat === 3 ? findCodecV3(id) : findCodec(id));
  const registered = (id: string, zarrFormat: 2 | 3) =>
    zarrFormat === 3 && codecTraits(id) !== undefined ? "a codec with a registered name" : undefined;
  return {
    names: codecDescriptions().flatMap(({ id, otherNames }) => [id, ...otherNames]),
    isBuilt: (id: string, zarrFormat: 2 | 3) => find(id, zarrFormat) !== undefined,
    words: (id: string, zarrFormat: 2 | 3) => knownByName(id) ?? registered(id, zarrFormat),
  };
}
