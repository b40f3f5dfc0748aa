/** Kerchunk Parquet: a folder of records, and a record alone. */
import type { FormatDriver } from "../driver.ts";

const NAMES = /\.(?:parq|parquet)$/i;
const MAGIC = [0x50, 0x41, 0x52, 0x31];

const room = () => import("./open-parquet.ts");

export const kerchunkParquet: FormatDriver = {
  folder: {
    name: "Kerchunk Parquet",
    names: NAMES,
    async open(folder, opening) {
      const { documents } = await folder.documents();
      return documents.has(".zmetadata") ? (await room()).openParquet(folder, opening) : undefined;
    },
  },
  document: {
    name: "one record of Kerchunk Parquet",
    names: NAMES,
    headBytes: MAGIC.length,
    recognise: (head) => (MAGIC.every((byte, at) => head[at] === byte) ? "maybe" : "no"),
    part: "Parquet",
    open: async (source, _choice, opening) => ({ kind: "set", set: await (await room()).openRecord(source, opening) }),
  },
};
