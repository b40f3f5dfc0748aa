/** Opens a folder of Kerchunk Parquet. A record alone is opened by `open-record.ts`. */
import { decodeInline } from "../../../formats/kerchunk-json/index.ts";
import type { EngineSet } from "../../engine-set.ts";
import type { Folder, Opening } from "../driver.ts";
import { storeSet, type StoreContext } from "../store-set.ts";
import { parquetDocuments, parquetPages } from "./parquet-set.ts";

export { openRecord } from "./open-record.ts";

/** `undefined` where the folder is not a Kerchunk Parquet set. */
export async function openParquet(folder: Folder, opening: Opening): Promise<EngineSet | undefined> {
  const parquet = parquetDocuments(folder.store, (await folder.documents()).documents);
  if (parquet === undefined) return undefined;
  const { documents, findings, refused, recognised } = parquet;
  const reading = {
    documents,
    findings,
    refused,
    async addArrays(around: StoreContext) {
      for (const node of around.hierarchy.nodes.values()) {
        if (node.kind === "array") around.table.addPages(node.path, parquetPages(around, parquet, node));
      }
      return new Map();
    },
    formatOf: () => ({
      kind: "kerchunk-parquet",
      label: "Kerchunk Parquet",
      recognised,
      decodeInline,
      takesShortRanges: true,
    }),
  };
  return storeSet(folder, reading, opening);
}
