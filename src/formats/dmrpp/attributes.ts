/** DAP4's attributes as JSON. */
import type { XmlElement } from "@rgrove/parse-xml";
import { HIDDEN_ATTRIBUTES } from "#core/source-file.ts";
import { jsonFloat } from "#core/values/number-text.ts";
import { attributeOf, elementsOf } from "./document.ts";

/** Attributes that the builder of DMR++ uses itself. */
const HIDDEN: ReadonlySet<string> = new Set(["build_dmrpp_metadata", "origname", "fullnamepath"]);

/** JSON text by name. Containers are objects. */
export function attributesOf(element: XmlElement): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const attribute of elementsOf(element, "Attribute")) {
    const name = attributeOf(attribute, "name") ?? "";
    if (!HIDDEN.has(name) && !HIDDEN_ATTRIBUTES.has(name)) texts.set(name, valueText(attribute));
  }
  return texts;
}

function valueText(attribute: XmlElement): string {
  const type = attributeOf(attribute, "type") ?? "String";
  if (type === "Container") {
    const members = [...attributesOf(attribute)].map(([name, text]) => `${JSON.stringify(name)}:${text}`);
    return `{${members.join(",")}}`;
  }
  const values = elementsOf(attribute, "Value").map((value) => attributeOf(value, "value") ?? value.text);
  const texts = values.map((value) => scalarText(type, value));
  return texts.length === 1 ? `${texts[0]}` : `[${texts.join(",")}]`;
}

/** A number as JSON where the type is one and the text has one. */
export function scalarText(type: string, text: string): string {
  const trimmed = text.trim();
  if (/^U?Int|Byte$/.test(type) && /^[+-]?\d+$/.test(trimmed)) return String(BigInt(trimmed));
  if (!type.startsWith("Float") || trimmed === "") return JSON.stringify(text);
  const named = /^([+-]?)(nan|inf(?:inity)?)f?$/i.exec(trimmed);
  const value =
    named === null ? Number(trimmed.replace(/f$/i, "")) : named[2]?.toLowerCase() === "nan" ? NaN : Infinity;
  if (named === null && Number.isNaN(value)) return JSON.stringify(text);
  const exact = type === "Float32" ? Math.fround(value) : value;
  return jsonFloat(named?.[1] === "-" ? -exact : exact);
}
