/** Kerchunk JSON, and documents that are not. */
import { detectKerchunkJson } from "#formats/kerchunk-json/index.ts";
import type { EngineSet } from "#engine/engine-set.ts";
import type { FormatDriver } from "../driver.ts";

const room = () => import("./open-document.ts");

export const kerchunkJson: FormatDriver = {
  document: {
    name: "Kerchunk JSON, plain, .gz or .zst",
    // Chosen by name, so that a folder of a million chunks is not read: JSON, compressed JSON, or no ending at all.
    names: /\.(?:json|jsonl|zjson|ref|refs|kerchunk|lindi|gz|gzip|zst|zstd|txt)$|(?:^|\/)[^./]+$/i,
    headBytes: 65_536,
    recognise: detectKerchunkJson,
    readsRest: true,
    async open(source, choice, opening) {
      const { readSet } = await room();
      const opened = await readSet(source, choice, opening);
      if (opened.kind !== "set" || !hasShards(opened.set)) return opened;
      const { expandShards } = await import("../expand-shards.ts");
      return { kind: "set", set: await expandShards(opened.set, opening.context) };
    },
  },
};

const hasShards = ({ hierarchy }: EngineSet): boolean =>
  [...hierarchy.nodes.values()].some((node) => node.kind === "array" && node.metadata.sharding !== undefined);
