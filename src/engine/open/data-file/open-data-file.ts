/** Opens a data file: its index, as a set of Zarr v2 whose references point into the file itself. */
import type { ByteSource, CallContext } from "../../../core/byte-source.ts";
import { failure } from "../../../core/findings/finding.ts";
import { fileBytes, LOCAL, REMOTE, type Traffic } from "../../../core/file-bytes.ts";
import { buildHierarchy } from "../../../core/metadata/build-hierarchy.ts";
import { NO_CODECS } from "../../../core/metadata/codec-table.ts";
import type { Hierarchy } from "../../../core/metadata/array-metadata.ts";
import type { SourceFile } from "../../../core/source-file.ts";
import { targetAt } from "../../../core/findings/fact.ts";
import { pythonString } from "../../../core/json/python-string.ts";
import type { EngineSet } from "../../engine-set.ts";
import { growingTable, makeSet, partsOf, slotsOf } from "../../set.ts";
import type { Opening } from "../driver.ts";
import { type DocumentSource, targetReader } from "../sources.ts";
import { kindOfFile } from "./kinds.ts";
import { withoutMasks } from "./inline-masked.ts";
import { addReferences, inlineText, metadataDocuments } from "./source-set.ts";
import { decodeBytes, inflateBytes } from "./undo-filters.ts";

export async function openDataFile(source: DocumentSource, opening: Opening): Promise<EngineSet> {
  const { locations, network, context } = opening;
  const started = performance.now();
  const isRemote = source.url !== undefined;
  const { file: index, traffic } = await indexFile(source.document, isRemote, context);
  const { bytes: bytesReceived } = traffic;
  const file = await withoutMasks(index, source.document, context);
  const documents = metadataDocuments(file);
  const { hierarchy: asZarr, findings } = buildHierarchy(documents.values(), [], NO_CODECS);
  const hierarchy = { ...asZarr, nodes: withOwnFills(asZarr.nodes, file) };
  const table = growingTable(slotsOf(hierarchy));
  addReferences(table, file, source.url ?? source.name);
  return makeSet(
    {
      name: source.name,
      url: source.url,
      choice: source.path === undefined ? undefined : `${source.path}\n`,
      format: {
        kind: "data-file",
        label: file.label,
        recognised: { kind: "signature", format: file.label },
        decodeInline: (raw) => ({ bytes: raw.slice() }),
        inlineText,
      },
      bytesReceived,
      documentBytes: bytesReceived,
      refused: undefined,
      hierarchy,
      documents,
      targets: targetReader(source, locations, network),
      ...partsOf(table),
      opening: [...file.findings, ...findings],
      countsLater: opening.options.countsLater,
      milliseconds: performance.now() - started,
      sourceFile: file,
      fileReading: {
        size: source.document.size ?? 0,
        traffic: (own) => (isRemote ? Promise.resolve(traffic) : trafficAfar(source.document, file, own)),
      },
    },
    context,
  );
}

/** What is missing, the file's own attributes say: xarray, which reads the file, takes nothing else for it. */
function withOwnFills(nodes: Hierarchy["nodes"], { arrays }: SourceFile): Hierarchy["nodes"] {
  const all = new Map(nodes);
  for (const { path, isFillOnly } of arrays) {
    const node = all.get(path);
    if (isFillOnly === true && node?.kind === "array")
      all.set(path, { ...node, metadata: { ...node.metadata, isFillOnly } });
  }
  return all;
}

/** Bytes of metadata that are read again to count requests. */
const MOST_COUNTED = 4 * 1024 ** 2;

async function trafficAfar(source: ByteSource, { structures }: SourceFile, context: CallContext) {
  if (structures.reduce((sum, { length }) => sum + length, 0) > MOST_COUNTED) return undefined;
  return (await indexFile(source, true, context)).traffic;
}

/** What a data file says of itself. `isRemote`: requests are dear. */
export async function indexFile(
  source: ByteSource,
  isRemote: boolean,
  context: CallContext,
): Promise<{ readonly file: SourceFile; readonly traffic: Traffic }> {
  if (source.size === undefined) throw failure("data-file-size-unknown", targetAt(source.name), {});
  const bytes = fileBytes(source, context, isRemote ? REMOTE : LOCAL);
  const kind = kindOfFile(await bytes.read(0, 2056));
  if (kind === undefined) throw failure("no-reference-set", targetAt(source.name), { among: "files", files: 1 });
  const { readHdf5 } = await import("../../../formats/hdf5/index.ts");
  const file = await readHdf5(bytes, { inflate: inflateBytes, decode: decodeBytes });
  return { file, traffic: { ...bytes.traffic } };
}

/** xarray reads the file itself. */
export function dataFileSnippet({ url, name }: Pick<EngineSet, "url" | "name">): string {
  const lines =
    url === undefined
      ? ["import xarray as xr", "", `ds = xr.open_dataset(${pythonString(name)}, chunks={})`]
      : [
          "import fsspec",
          "import xarray as xr",
          "",
          `ds = xr.open_dataset(fsspec.open(${pythonString(url)}).open(), chunks={})`,
        ];
  return `${lines.join("\n")}\n`;
}
