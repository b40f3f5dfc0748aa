/** Code whose errors say where in the template they are. */
import type { Code } from "./run.ts";
import { withSpan } from "./template-error.ts";
import type { Span } from "./tree.ts";

/** Errors that parts of the code have placed already keep their places. */
export function spanned(node: Span, code: Code): Code {
  return (frame) => {
    try {
      return code(frame);
    } catch (error) {
      throw withSpan(error, node);
    }
  };
}
