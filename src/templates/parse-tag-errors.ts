/** What to say where the tags of a template do not fit together. */
import type { Cursor, NameToken, OpenBlock } from "./parse-cursor.ts";
import type { TemplateError } from "./template-error.ts";

/** Tags of Jinja2's extensions; readers of references switch none on. */
const EXTENSION_TAGS: ReadonlySet<string> = new Set(["do", "break", "continue", "trans", "debug"]);

export function unknownTag(cursor: Cursor, tag: NameToken): TemplateError {
  const open = cursor.openBlocks.at(-1);
  const ends = cursor.openBlocks.some((block) => block.endWords.includes(tag.text));
  if (open !== undefined && ends) {
    const message = `Found "${tag.text}" while the block "${open.tag.text}" inside of it is open; close that first.`;
    return cursor.fail(`${message} ${wanted(open)}`, tag);
  }
  const parts = [`Encountered the unknown tag "${tag.text}".`];
  if (EXTENSION_TAGS.has(tag.text)) parts.push("It belongs to an extension of Jinja2 that is not switched on.");
  if (open !== undefined) parts.push(wanted(open));
  return cursor.fail(parts.join(" "), tag);
}

/** At the end of the template, with a block open. The place is the tag that opened it. */
export function unclosedBlock(cursor: Cursor): TemplateError {
  const open = cursor.openBlocks.at(-1);
  if (open === undefined) return cursor.fail("The template ends too early.");
  return cursor.fail(`The template ends and the block "${open.tag.text}" is not closed. ${wanted(open)}`, open.tag);
}

function wanted(open: OpenBlock): string {
  const words = open.endWords.map((word) => `"${word}"`).join(" or ");
  return `It waits for ${words}.`;
}
