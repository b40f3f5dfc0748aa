/**
 * Plain text for a place that takes Markdown. What a document says must show as it is: no link, picture or emphasis.
 */

/** Lines as paragraphs; lines that begin with a tab are code. */
export function markdownOf(lines: readonly string[]): string {
  const parts: string[] = [];
  let code: string[] = [];
  const endCode = () => {
    if (code.length > 0) parts.push(fenced(code));
    code = [];
  };
  for (const line of lines) {
    if (line.startsWith("\t")) {
      code.push(line.slice(1));
      continue;
    }
    endCode();
    if (line.trim() !== "") parts.push(escaped(line));
  }
  endCode();
  return parts.join("\n\n");
}

/** Every sign of Markdown escaped, the colon too: addresses would become links. */
function escaped(line: string): string {
  return line
    .trim()
    .replaceAll(/[!-/:-@[-`{-~]/g, String.raw`\$&`)
    .replaceAll(/\s+/g, " ");
}

function fenced(lines: readonly string[]): string {
  const text = lines.join("\n");
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}`;
}
