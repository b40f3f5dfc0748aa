/**
 * Monaco closes brackets only in lines whose words it has read, and reads them when it is idle: on a busy machine an
 * opening bracket right after Enter would stay open. So new lines are read at once. What does it has no public name;
 * without it nothing is lost but that.
 */
import type { editor } from "./monaco.ts";

interface Reading {
  readonly tokenization?: {
    isCheapToTokenize?: (line: number) => boolean;
    forceTokenization?: (line: number) => void;
  };
}

/** After a change: reads the lines that Enter made, if all above them is read. */
export function readNewLines(model: editor.ITextModel, { changes }: editor.IModelContentChangedEvent): void {
  const [change] = changes;
  if (change === undefined || changes.length > 1 || !/^\r?\n[ \t]*(?:\r?\n[ \t]*)?$/.test(change.text)) return;
  const { tokenization } = model as Reading;
  const first = change.range.startLineNumber;
  if (tokenization?.isCheapToTokenize?.(first) === true) tokenization.forceTokenization?.(first + 1);
}
