/** Names as parts of a URL's path. */

/**
 * Every character means itself: all but letters, digits and what is harmless in a path (RFC 3986 §3.3) is
 * percent-encoded, a `%` too, since names are not encoded yet, and a plus, which S3 takes for a space where it is bare.
 * So a URL parser reads no `\`, tab or space as something else. `undefined` for half of a character.
 */
export function encodedPart(part: string): string | undefined {
  try {
    return encodeURIComponent(part).replace(/%(?:3A|40|3D|2C|24|26|3B)/g, decodeURIComponent);
  } catch {
    return undefined;
  }
}

/** Decodes percent-encoded UTF-8; returns any other text unchanged. */
export function decodedPart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Parts `.` and `..` are left as they are. */
export function encodedPath(path: string): string | undefined {
  const parts = path.split("/").map(encodedPart);
  return parts.includes(undefined) ? undefined : parts.join("/");
}
