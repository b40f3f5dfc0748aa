/** HDF5 and NetCDF-4 files as references, in the form that Kerchunk gives them (facts of 0.2.7, measured). */
import type { FileBytes } from "../../core/file-bytes.ts";
import { RefscopeError, finding, type Finding } from "../../core/findings/finding.ts";
import { nodeAt, targetAt } from "../../core/findings/fact.ts";
import { HIDDEN_ATTRIBUTES, type SourceArray, type SourceFile, type SourceGroup } from "../../core/source-file.ts";
import { zarrArray, type Around, type Hdf5Options } from "./dataset.ts";
import { giveOwner, type StructurePiece, structuresInOrder } from "./hdf5-file.ts";
import { dimensionsOf, netcdfDimensions } from "./dimensions.ts";
import { type Hdf5Object, readObjects } from "./objects.ts";
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
  if (size > says) findings.push(finding("data-file-longer", targetAt(name), { format: "HDF5", says, size }));
  const heap = globalHeap(file);
  const around: Around = { file, heap, objects, decode, findings, dimensions: netcdfDimensions(objects) };
  const groups: SourceGroup[] = [];
  const arrays: SourceArray[] = [];
  await eachInTurn(
    [...objects.byPath.values()],
    async (object) => readOne(around, object).catch((error: unknown) => broken(error, object, findings)),
    (made) => {
      if (made === undefined) return;
      if ("references" in made) arrays.push(made);
      else groups.push(made);
    },
  );
  const isNetcdf = objects.byPath.get("/")?.attributes.some(({ name }) => name === "_NCProperties") === true;
  return {
    label: `${isNetcdf ? "NetCDF-4" : "HDF5"}, superblock ${file.version}`,
    groups,
    arrays,
    findings,
    structures: structuresInOrder(file.structures),
  };
}

const zarrPath = (path: string): string => path.slice(1);

function broken(error: unknown, { path }: Hdf5Object, findings: Finding[]): undefined {
  if (!(error instanceof RefscopeError)) throw error;
  findings.push({ ...error.finding, place: nodeAt(zarrPath(path)) });
}

async function readOne(around: Around, object: Hdf5Object): Promise<SourceArray | SourceGroup | undefined> {
  const path = zarrPath(object.path);
  noteLinks(around, object);
  if (object.kind === "datatype") return undefined;
  const attributes = await attributesOf(around, object, path);
  if (object.kind === "group") return { path, attributes };
  const dimensions = await dimensionsOf(around, object);
  if (dimensions === undefined) return undefined;
  const structures: StructurePiece[] = [];
  try {
    return await zarrArray({ ...around, file: { ...around.file, structures } }, object, {
      path,
      attributes,
      dimensions,
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
