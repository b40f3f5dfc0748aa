/** Names of a commit that wrote chunks. */
import type { BlamedCommit } from "../blame.ts";

/** Its message in one line: messages are free text; the beginning of its id where nothing else is known. */
export function commitWords({ id, message, expired }: Pick<BlamedCommit, "id" | "message" | "expired">): string {
  const line = message.replaceAll(/\s+/g, " ").trim();
  if (line !== "") return line;
  return expired ? `expired commit ${id.slice(0, 8)}…` : `${id.slice(0, 8)}…, no message`;
}

export const commitTitle = ({ id, time, author }: Pick<BlamedCommit, "id" | "time" | "author">): string =>
  [id, time, author].filter((part) => part !== undefined).join("\n");
