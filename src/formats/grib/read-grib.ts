/**
 * A GRIB file as one set: an array for each parameter and type of level, of each grid, a message a chunk, as kerchunk's
 * `scan_grib` refers to them. What differs from message to message are coordinates, inline.
 */
import { RefscopeError, finding, type Finding } from "#core/findings/finding.ts";
import type { FileBytes } from "#core/file-bytes.ts";
import { groupedBy } from "#core/basics.ts";
import { nodeAt } from "#core/findings/fact.ts";
import { columnsWriter, type SourceArray, type SourceFile } from "#core/source-file.ts";
import { coordinateArrays, type Coordinates, filterOf, type GribOptions, takeName } from "./coordinates.ts";
import { factsOf, type GribField, type Group, gridKey } from "./field-facts.ts";
import { type GribMessage, scanMessages, type Section } from "./scan-messages.ts";

/** @throws RefscopeError where there is no message: `data-file-damaged`, `data-file-cut` */
export async function readGrib(file: FileBytes, options: GribOptions): Promise<SourceFile> {
  const { messages, findings } = await scanMessages(file);
  const [first] = messages;
  if (first === undefined) throw new RefscopeError(findings[0] as Finding);
  const groups = groupsOf(messages);
  const paths = pathsOf(groups);
  const coordinates = coordinateArrays(options, paths);
  const arrays: SourceArray[] = [];
  const inlined = { left: MOST_INLINED };
  for (const [number, group] of groups.entries()) {
    const array = await arrayOf(file, group, paths[number] as string, coordinates, inlined);
    if (array === undefined) findings.push(finding("grib-points-unknown", nodeAt(paths[number] as string), {}));
    else arrays.push(array);
  }
  const editions = [...new Set(messages.map(({ edition }) => edition))].toSorted((one, other) => one - other);
  return {
    label: `GRIB edition ${editions.join(" and ")}`,
    groups: [{ path: "", attributes: new Map([["GRIB_edition", `${first.edition}`]]) }],
    arrays: [...arrays, ...coordinates.arrays()],
    findings: [...findings, ...notes(messages)],
    isArranged: true,
    structures: messages.map(({ offset, length }) => ({ offset, length, kind: "message" })),
  };
}

function groupsOf(messages: readonly GribMessage[]): readonly Group[] {
  const fields = messages.flatMap((message) =>
    message.fields.flatMap((sections): readonly GribField[] => {
      const facts = factsOf(message, sections);
      return facts === undefined ? [] : [{ ...facts, message, sections }];
    }),
  );
  const keyOf = ({ parameter, levelType, grid }: GribField): string =>
    [parameter.name, levelType, grid === undefined ? "" : gridKey(grid)].join("|");
  return [...groupedBy(fields, keyOf).values()];
}

/** The parameter's name; with the type of level, then a number, where several arrays have one. */
function pathsOf(groups: readonly Group[]): readonly string[] {
  const names = groupedBy(groups, ([{ parameter }]) => parameter.name);
  const taken = new Set<string>();
  return groups.map(([{ parameter, levelType }]) => {
    const { name } = parameter;
    const types = new Set(names.get(name)?.map(([one]) => one.levelType));
    return takeName(types.size > 1 ? `${name}_${levelType}` : name, taken);
  });
}

async function arrayOf(
  file: FileBytes,
  group: Group,
  path: string,
  coordinates: Coordinates,
  inlined: { left: number },
): Promise<SourceArray | undefined> {
  const [first] = group;
  const { dimensions, shape, names } = coordinates.of(group);
  if (shape === undefined) return undefined;
  const writer = columnsWriter(group.length);
  const inline = new Map<number, Uint8Array>();
  for (const [ordinal, { message, sections }] of group.entries()) {
    if (sections === message.fields[0]) writer.add(ordinal, message.offset, message.length);
    else {
      const own = await messageOf(file, message, sections, inlined);
      if (own !== undefined) inline.set(ordinal, own);
    }
  }
  const { parameter, levelType, message } = first;
  const attributes = new Map([
    ["GRIB_typeOfLevel", JSON.stringify(levelType)],
    ["GRIB_edition", `${message.edition}`],
    ...(parameter.units === undefined ? [] : [["units", JSON.stringify(parameter.units)] as const]),
    ["coordinates", JSON.stringify(names.join(" "))],
  ]);
  const isOne = group.length === 1;
  return {
    path,
    attributes,
    shape,
    chunks: isOne ? shape : [1, ...shape.slice(1)],
    dtype: '"<f8"',
    fill: "null",
    filters: [filterOf(parameter.name)],
    dimensions,
    references: writer.columns(),
    inline,
  };
}

/** Stored bytes of one file's fields that are not the first of their message. */
const MOST_INLINED = 16 * 1024 ** 2;

/** A message of its own for a field behind the first: decoders of GRIB as Zarr read only the first. */
async function messageOf(
  file: FileBytes,
  { offset }: GribMessage,
  sections: ReadonlyMap<number, Section>,
  inlined: { left: number },
): Promise<Uint8Array | undefined> {
  const parts = [1, 2, 3, 4, 5, 6, 7].flatMap((number) => sections.get(number) ?? []);
  const length = parts.reduce((sum, part) => sum + part.length, 16 + 4);
  if (length > inlined.left) return undefined;
  inlined.left -= length;
  const own = new Uint8Array(length).fill(0x37);
  own.set(await file.read(offset, 16));
  new DataView(own.buffer).setBigUint64(8, BigInt(length));
  let at = 16;
  for (const part of parts) {
    own.set(await file.read(part.offset, part.length), at);
    at += part.length;
  }
  return own;
}

function notes(messages: readonly GribMessage[]): readonly Finding[] {
  const several = messages.filter(({ fields }) => fields.length > 1);
  const fields = several.reduce((sum, one) => sum + one.fields.length, 0);
  const first1 = messages.find(({ edition }) => edition === 1);
  const kerchunk = "a length that it reads where edition 2 has it";
  return [
    ...(several.length === 0 ? [] : [finding("grib-several-fields", nodeAt(""), { messages: several.length, fields })]),
    ...(first1 === undefined
      ? []
      : [
          finding("kerchunk-would-write", nodeAt(""), { what: "references", kerchunk, here: `${first1.length} bytes` }),
        ]),
  ];
}
