/** How a target URL is spelled as JSON text, as flags. */
export const PLAIN_SLASH = 1;
export const ESCAPED_SLASH = 2;
export const OTHER_ESCAPE = 4;
export const NOT_ASCII = 8;
export const BRACES = 16;

/** Flags of the characters that occur in one URL's raw text. */
export function spellingOf(bytes: Uint8Array, from: number, to: number): number {
  let flags = 0;
  for (let i = from; i < to; i += 1) {
    const c = bytes[i] as number;
    if (c === 47) flags |= PLAIN_SLASH;
    else if (c === 92) {
      i += 1;
      flags |= bytes[i] === 47 ? ESCAPED_SLASH : OTHER_ESCAPE;
    } else if (c === 123) flags |= bytes[i + 1] === 123 ? BRACES : 0;
    else if (c > 127) flags |= NOT_ASCII;
  }
  return flags;
}

/** True if the URL may contain "{{"; braces may be written as escapes too. */
export const mayBeTemplate = (flags: number): boolean => (flags & (BRACES | OTHER_ESCAPE)) !== 0;
