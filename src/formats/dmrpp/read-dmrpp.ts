/** A DMR++ document as the index of the file it stands beside. */
import { unlessFinding } from "#core/findings/finding.ts";
import type { XmlElement } from "@rgrove/parse-xml";
import type { FileBytes } from "#core/file-bytes.ts";
import { nodeAt } from "#core/findings/fact.ts";
import type { SourceArray, SourceFile, SourceGroup } from "#core/source-file.ts";
import { attributesOf } from "./attributes.ts";
import { attributeOf, elementsOf, readDocument, wholeNumbers } from "./document.ts";
import { type Around, VARIABLES, variableOf } from "./variable.ts";

/** Placeholder that servers replace by the address; left as it is, it means the file beside the document. */
const PLACEHOLDER = "OPeNDAP_DMRpp_DATA_ACCESS_URL";

/** @throws RefscopeError where the document cannot be read: `data-file-damaged`, `data-file-too-large` */
export async function readDmrpp(file: FileBytes): Promise<SourceFile> {
  const document = await readDocument(file);
  const { root } = document;
  const groups = groupsOf(root);
  const stated = attributeOf(root, "href");
  const href = stated === PLACEHOLDER ? undefined : stated;
  const around: Around = { document, href, findings: [], ...namedOf(groups) };
  const arrays: SourceArray[] = [];
  for (const [path, group] of groups) {
    for (const element of elementsOf(group, ...VARIABLES)) {
      const at = joined(path, variableName(element));
      unlessFinding(
        () => arrays.push(...variableOf(around, element, at)),
        ({ finding }) => around.findings.push({ ...finding, place: nodeAt(at) }),
      );
    }
  }
  return {
    label: "DMR++",
    groups: groups.map(([path, group]): SourceGroup => ({ path, attributes: attributesOf(group) })),
    arrays,
    findings: around.findings,
    structures: [{ offset: 0, length: file.size, kind: "XML document" }],
    target: href ?? file.name.replace(/^.*\/|\.dmrpp$/gi, ""),
  };
}

type Placed = readonly [path: string, group: XmlElement];

/** A slash would make another group of it. */
const variableName = (element: XmlElement): string =>
  (attributeOf(element, "name") ?? "").replaceAll("/", "_") || "unnamed";

const joined = (group: string, name: string): string => (group === "" ? name : `${group}/${name}`);

/** However deep they lie in each other: each before those in it. */
function groupsOf(root: XmlElement): readonly Placed[] {
  const [all, waiting]: [Placed[], Placed[]] = [[], [["", root]]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [path, group] = next;
    all.push(next);
    const below = elementsOf(group, "Group").map((one): Placed => [joined(path, variableName(one)), one]);
    waiting.push(...below.toReversed());
  }
  return all;
}

/** Dimensions and enumerations by their paths. */
function namedOf(groups: readonly Placed[]): Pick<Around, "dimensions" | "enumerations"> {
  const of = (element: string) =>
    groups.flatMap(([path, group]) =>
      elementsOf(group, element).map((one): readonly [string, XmlElement] => [joined(path, variableName(one)), one]),
    );
  return {
    dimensions: new Map(
      of("Dimension").map(([path, one]) => [path, wholeNumbers(attributeOf(one, "size") ?? "")?.[0] ?? 0]),
    ),
    enumerations: new Map(of("Enumeration").map(([path, one]) => [path, attributeOf(one, "basetype") ?? ""])),
  };
}
