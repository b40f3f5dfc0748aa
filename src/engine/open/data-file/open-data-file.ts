/** Opens a data file: its index, as a set of Zarr v2 whose references point into the file itself. */
import type { ByteSource, CallContext } from "#core/byte-source.ts";
import { failure, isAbort, isOfSpelling } from "#core/findings/finding.ts";
import { type FileBytes, fileBytes, LOCAL, REMOTE, type Traffic } from "#core/file-bytes.ts";
import { buildHierarchy } from "#core/metadata/build-hierarchy.ts";
import { NO_CODECS } from "#core/metadata/codec-table.ts";
import type { Hierarchy } from "#core/metadata/array-metadata.ts";
import type { FormatWords } from "#core/open-set.ts";
import type { SourceFile } from "#core/source-file.ts";
import { targetAt } from "#core/findings/fact.ts";
import { once } from "#core/basics.ts";
import { pythonString } from "#core/json/python-json.ts";
import type { EngineSet } from "#engine/engine-set.ts";
import { STORE_WORDS } from "../store-words.ts";
import { growingTable, makeSet, partsOf, slotsOf } from "../set.ts";
import type { Opening } from "../driver.ts";
import { type DocumentSource, targetReader, urlDocument } from "#engine/chunk/sources.ts";
import { type DataFileKind, HEAD_BYTES, kindOfFile, MAX_HEAD_BYTES } from "./kinds.ts";
import { withoutMasks } from "./inline-masked.ts";
import { isFillOnly } from "#core/metadata/source-node.ts";
import { addReferences, inlineText, metadataDocuments } from "./source-set.ts";
import { undoFilters } from "#codecs/pipeline.ts";

const FILE_WORDS: FormatWords = {
  ...STORE_WORDS,
  source: "Read to index it",
  missing: "The file has no such chunk",
  inlineIn: "index of the file",
};

export async function openDataFile(source: DocumentSource, opening: Opening): Promise<EngineSet> {
  const { locations, network, context } = opening;
  const started = performance.now();
  const isRemote = source.url !== undefined;
  const beside = once(() => indexesBeside(source, opening));
  const { file: index, traffic } = await indexFile(source.document, isRemote, context, beside);
  const { bytes: bytesReceived } = traffic;
  const file = await withoutMasks(index, source.document, context);
  const documents = metadataDocuments(file);
  const { hierarchy: asZarr, findings } = buildHierarchy(documents.values(), [], NO_CODECS);
  const hierarchy = { ...asZarr, nodes: withOwnFills(asZarr.nodes, file) };
  const table = growingTable(slotsOf(hierarchy));
  addReferences(table, file, targetsOf(file, source));
  return makeSet(
    {
      name: source.name,
      url: source.url,
      choice: source.path === undefined ? undefined : `${source.path}\n`,
      format: {
        kind: "data-file",
        words: FILE_WORDS,
        python: dataFileSnippet,
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
      // The documents are written here: how they are spelt is nobody's fault.
      opening: [
        ...file.findings,
        ...(await indexFindings(file, beside)),
        ...findings.filter((found) => !isOfSpelling(found)),
      ],
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

function withOwnFills(nodes: Hierarchy["nodes"], { arrays }: SourceFile): Hierarchy["nodes"] {
  const all = new Map(nodes);
  for (const array of arrays) {
    const node = all.get(array.path);
    if (isFillOnly(array) && node?.kind === "array")
      all.set(array.path, { ...node, metadata: { ...node.metadata, isFillOnly: true } });
  }
  return all;
}

/** Bytes of metadata that are read again to count requests. */
const MOST_COUNTED = 4 * 1024 ** 2;

async function trafficAfar(source: ByteSource, { structures }: SourceFile, context: CallContext) {
  if (structures.reduce((sum, { length }) => sum + length, 0) > MOST_COUNTED) return undefined;
  return (await indexFile(source, true, context)).traffic;
}

/** Targets as references write them: the file's own, from its place. */
function targetsOf(
  { target }: SourceFile,
  { url, name }: Pick<DocumentSource, "url" | "name">,
): (other: string | undefined) => string {
  return (other = target) => {
    if (other === undefined) return url ?? name;
    return url === undefined || !URL.canParse(other, url) ? other : new URL(other, url).href;
  };
}

/** Bytes of an index that are read. */
const MOST_OF_INDEX = 32 * 1024 ** 2;

interface IndexBeside {
  readonly name: string;
  readonly text: string;
}

/** GRIB indexes of wgrib2 and ECMWF: given with the file, or beside it at its address. */
async function indexesBeside(source: DocumentSource, opening: Opening): Promise<readonly IndexBeside[]> {
  const { files, path, url } = source;
  const { entriesOf } = await import("#formats/grib/index.ts");
  const found: IndexBeside[] = [];
  for (const name of namesBeside(url ?? path ?? "")) {
    const own =
      url === undefined ? files?.source(name) : urlDocument(name, opening.locations, opening.network).document;
    if (own === undefined || (own.size ?? 0) > MOST_OF_INDEX) continue;
    const read = await own.read(undefined, { ...opening.context, most: MOST_OF_INDEX }).catch((error: unknown) => {
      if (isAbort(error) || url === undefined) throw error;
      return undefined;
    });
    const text = new TextDecoder().decode(read?.bytes);
    // Some servers answer with a page of theirs.
    if (read === undefined || (url !== undefined && entriesOf(text).length === 0)) continue;
    found.push({ name, text });
    if (url !== undefined) break;
  }
  return found;
}

/** A query stays at the end. */
function namesBeside(path: string): readonly string[] {
  const [, name = "", query = ""] = /^([^?#]*)(.*)$/s.exec(path) ?? [];
  return name === "" ? [] : [`${name}.idx${query}`, `${name.replace(/\.[^./]*$/, "")}.index${query}`];
}

async function indexFindings(file: SourceFile, beside: () => Promise<readonly IndexBeside[]>) {
  if (!file.label.startsWith("GRIB")) return [];
  const { compareIndex } = await import("#formats/grib/index.ts");
  return (await beside()).flatMap(({ name, text }) => compareIndex(file, text, name));
}

/** Indexes a data file. `isRemote`: requests are expensive. */
export async function indexFile(
  source: ByteSource,
  isRemote: boolean,
  context: CallContext,
  beside?: () => Promise<readonly IndexBeside[]>,
): Promise<{ readonly file: SourceFile; readonly traffic: Traffic }> {
  if (source.size === undefined) throw failure("data-file-size-unknown", targetAt(source.name), {});
  const bytes = fileBytes(source, context, isRemote ? REMOTE : LOCAL);
  const kind = kindOfFile(await bytes.read(0, HEAD_BYTES)) ?? kindOfFile(await bytes.read(0, MAX_HEAD_BYTES));
  if (kind === undefined) throw failure("no-reference-set", targetAt(source.name), { among: "files", files: 1 });
  if (kind === "grib" && isRemote && beside !== undefined) {
    const { entriesOf, fetchHeads } = await import("#formats/grib/index.ts");
    await fetchHeads(
      bytes,
      (await beside()).flatMap(({ text }) => entriesOf(text)),
    );
  }
  const file = await indexBytes(kind, bytes);
  return { file, traffic: { ...bytes.traffic } };
}

export const indexBytes = (kind: DataFileKind, bytes: FileBytes): Promise<SourceFile> => READERS[kind](bytes);

/** Each is fetched with the first file of its kind. */
const READERS: Readonly<Record<DataFileKind, (bytes: FileBytes) => Promise<SourceFile>>> = {
  hdf5: async (bytes) =>
    (await import("#formats/hdf5/read-hdf5.ts")).readHdf5(bytes, {
      inflate: (stored, most) => undoFilters(['{"id":"zlib"}'], stored, most),
      decode: undoFilters,
    }),
  netcdf3: async (bytes) => (await import("#formats/netcdf3/read-netcdf3.ts")).readNetcdf3(bytes),
  dmrpp: async (bytes) => (await import("#formats/dmrpp/read-dmrpp.ts")).readDmrpp(bytes),
  grib: async (bytes) => {
    const { gridAxes } = await import("#codecs/grib/grid.ts");
    return (await import("#formats/grib/index.ts")).readGrib(bytes, { axes: gridAxes });
  },
};

/**
 * xarray reads the file itself, or the one that a DMR++ document describes; cfgrib a GRIB file, of which it makes
 * several datasets.
 */
export function dataFileSnippet({
  url: own,
  name,
  sourceFile,
}: Pick<EngineSet, "url" | "name" | "sourceFile">): string {
  const place = sourceFile === undefined ? (own ?? name) : targetsOf(sourceFile, { url: own, name })(undefined);
  const isUrl = /^[a-z][a-z\d+.-]*:\/\//i.test(place);
  if (sourceFile?.label.startsWith("GRIB") === true) {
    const local = isUrl ? `fsspec.open_local(${pythonString(`simplecache::${place}`)})` : pythonString(place);
    const imports = isUrl ? ["import cfgrib", "import fsspec"] : ["import cfgrib"];
    return [...imports, "", `ds, *others = cfgrib.open_datasets(${local})`, ""].join("\n");
  }
  const opened = isUrl ? `fsspec.open(${pythonString(place)}).open()` : pythonString(place);
  const imports = isUrl ? ["import fsspec", "import xarray as xr"] : ["import xarray as xr"];
  return [...imports, "", `ds = xr.open_dataset(${opened}, chunks={})`, ""].join("\n");
}
