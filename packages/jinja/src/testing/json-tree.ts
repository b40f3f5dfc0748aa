/** JSON texts of tests as trees: valid ones, and Python's NaN and Infinity. */
import type { JsonNode } from "../json-value.ts";

const TOKEN = /\s*(?:(?<mark>[[\]{},:])|(?<text>"(?:[^"\\]|\\.)*")|(?<word>true|false|null)|(?<number>[-+.\w]+))/y;

export function jsonTree(json: string): JsonNode {
  const token = new RegExp(TOKEN);
  const next = () => token.exec(json)?.groups ?? {};
  const node = ({ mark, text, word, number }: Readonly<Record<string, string | undefined>>): JsonNode => {
    if (number !== undefined) return { kind: "number", text: number, value: numberOf(number) };
    if (mark === "[") return { kind: "array", items: listed("]", node) };
    if (mark === "{") return { kind: "object", members: listed("}", member) };
    return { kind: "scalar", value: JSON.parse(text ?? word ?? "") as string | boolean | null };
  };
  const member = ({ text = "" }) => {
    next();
    return { key: JSON.parse(text) as string, node: node(next()) };
  };
  function listed<Item>(close: string, item: (first: Readonly<Record<string, string | undefined>>) => Item): Item[] {
    const items: Item[] = [];
    for (let first = next(); first["mark"] !== close; first = next())
      if (first["mark"] !== ",") items.push(item(first));
    return items;
  }
  return node(next());
}

function numberOf(text: string): number | bigint {
  const value = Number(text);
  return /^-?\d+$/.test(text) && !Number.isSafeInteger(value) ? BigInt(text) : value;
}
