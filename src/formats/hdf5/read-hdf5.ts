/** HDF5 and NetCDF-4 files as references, in the form that Kerchunk gives them (facts of 0.2.7, measured). */
import type { FileBytes } from "#core/file-bytes.ts";
import { finding, type Finding, findingOfError, isAbort, placed, RefscopeError } from "#core/findings/finding.ts";
import { nodeAt, targetAt } from "#core/findings/fact.ts";
import { HIDDEN_ATTRIBUTES, type SourceArray, type SourceFile, type SourceGroup } from "#core/source-file.ts";
import { zarrArray, type Around, type Hdf5Options } from "./dataset.ts";
import { giveOwner, type StructurePiece, structuresInOrder } from "./hdf5-file.ts";
import { type Dimensions, dimensionsOf, isNetcdf, lengthsOf, netcdfDimensions } from "./dimensions.ts";
import { type Hdf5Object, MOST_ALIASES, readObjects } from "./objects.ts";
import { openHdf5 } from "./superblock.ts";
import { eachInTurn } from "./trees.ts";
import { attributeText, globalHeap } from "./values.ts";

/** @throws RefscopeError where nothing of the file can be read: `data-file-damaged`, `data-file-cut` */
export async function readHdf5(bytes: FileBytes, { inflate, decode }: Hdf5Options): Promise<SourceFile> {
  const file = await openHdf5(bytes, inflate);
  const objects = await readObjects(file);
  const findings: Finding[] = [...objects.broken].map(([path, found]) => ({ ...found, place: nodeAt(zarrPath(path)) }));
  const rootBroken = objects.broken.get("/");
  if (rootBroken !== undefined) throw new RefscopeError(rootBroken);
  const {
    end: says,
    bytes: { name, size },
  } = file;
  if (file.isOpenForWrite) findings.push(finding("hdf5-open-for-write", targetAt(name), {}));
  if (objects.isCut)
    findings.push(finding("data-file-too-large", targetAt(name), { what: "names", limit: MOST_ALIASES }));
  if (size > says) findings.push(finding("data-file-longer", targetAt(name), { format: "HDF5", says, size }));
  const heap = globalHeap(file);
  const around: Around = { file, heap, objects, decode, findings, dimensions: netcdfDimensions(objects) };
  const groups: SourceGroup[] = [];
  const arrays: SourceArray[] = [];
  const orBroken = <Made>(object: Hdf5Object, making: Promise<Made>) =>
    making.catch((error: unknown) => broken(error, object, findings));
  const all = [...objects.byPath.values()];
  const dimensions = new Map<string, Dimensions>();
  await eachInTurn(
    all.filter(({ kind }) => kind === "dataset"),
    async (object) => [object.path, await orBroken(object, dimensionsOf(around, object))] as const,
    ([path, made]) => made && dimensions.set(path, made),
  );
  const isShared = isNetcdf(objects);
  const lengths = isShared ? lengthsOf(dimensions.values()) : new Map<string, number>();
  await eachInTurn(
    all,
    async (object) => orBroken(object, readOne(around, object, dimensions.get(object.path), lengths)),
    (made) => {
      if (made === undefined) return;
      if ("references" in made) arrays.push(made);
      else groups.push(made);
    },
  );
  return {
    label: `${isShared ? "NetCDF-4" : "HDF5"}, superblock ${file.version}`,
    groups,
    arrays: withVariableNames(arrays),
    findings,
    structures: structuresInOrder(file.structures),
  };
}

const zarrPath = (path: string): string => path.slice(1);

/** One that cannot be read leaves the others as they are. */
function broken(error: unknown, { path }: Hdf5Object, findings: Finding[]): undefined {
  if (isAbort(error)) throw error;
  findings.push(placed(findingOfError(error), nodeAt(zarrPath(path))));
}

/** Prefix that netCDF-4 gives a variable named like a dimension without being its coordinate. */
const NO_COORDINATE = "_nc4_non_coord_";

function withVariableNames(arrays: readonly SourceArray[]): readonly SourceArray[] {
  const taken = new Set(arrays.map(({ path }) => path));
  return arrays.map((array) => {
    const name = array.path.slice(array.path.lastIndexOf("/") + 1);
    const path = array.path.slice(0, -name.length) + name.replace(NO_COORDINATE, "");
    return name.startsWith(NO_COORDINATE) && name !== NO_COORDINATE && !taken.has(path) ? { ...array, path } : array;
  });
}

async function readOne(
  around: Around,
  object: Hdf5Object,
  dimensions: Dimensions | undefined,
  lengths: ReadonlyMap<string, number>,
): Promise<SourceArray | SourceGroup | undefined> {
  const path = zarrPath(object.path);
  noteLinks(around, object);
  if (object.kind === "datatype") return undefined;
  const attributes = await attributesOf(around, object, path);
  if (object.kind === "group") return { path, attributes };
  if (dimensions === undefined || dimensions.isBare) return undefined;
  const { names, shape, grows } = dimensions;
  const structures: StructurePiece[] = [];
  try {
    return await zarrArray({ ...around, file: { ...around.file, structures } }, object, {
      path,
      attributes,
      dimensions: names,
      shape: shape.map((size, axis) =>
        grows[axis] === true ? Math.max(size, lengths.get(names[axis] ?? "") ?? 0) : size,
      ),
    });
  } finally {
    giveOwner(around.file, structures, object.path);
  }
}

function noteLinks({ findings }: Around, { path, links }: Hdf5Object): void {
  for (const link of links) {
    if (link.kind !== "external") continue;
    const at = `${zarrPath(path)}/${link.name}`.replace(/^\//, "");
    findings.push(finding("hdf5-external-link", nodeAt(at), { file: link.file, path: link.path }));
  }
}

async function attributesOf({ file, heap, findings }: Around, { attributes }: Hdf5Object, path: string) {
  const texts = new Map<string, string>();
  const unread: string[] = [];
  const latin1: string[] = [];
  for (const attribute of attributes.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    const { name } = attribute;
    if (HIDDEN_ATTRIBUTES.has(name)) continue;
    const { text, isLatin1 } = await attributeText(file, heap, attribute);
    if (isLatin1) latin1.push(name);
    if (text === undefined) unread.push(name);
    else texts.set(name, text);
  }
  if (latin1.length > 0) findings.push(finding("hdf5-attribute-latin1", nodeAt(path), { names: latin1 }));
  if (unread.length > 0) findings.push(finding("hdf5-attribute-unread", nodeAt(path), { names: unread }));
  return texts;
}
