/** Names in zip archives: how they are spelt (APPNOTE 4.4.17, appendix D), and which of them are paths to open. */

const HIGH_CP437 =
  "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0";

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/** `isUtf8` is what the entry's flag says; without it names are CP437, as Python's zipfile reads them too. */
export function decodeName(bytes: Uint8Array, isUtf8: boolean): string {
  return isUtf8 ? utf8.decode(bytes) : decodeCp437(bytes);
}

function decodeCp437(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += byte < 128 ? String.fromCharCode(byte) : (HIGH_CP437[byte - 128] ?? "");
  return text;
}

/** Whether these bytes, not all ASCII, would read as UTF-8 too: what archivers write that forget the flag. */
export function looksLikeUtf8(bytes: Uint8Array): boolean {
  if (bytes.every((byte) => byte < 128)) return false;
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/**
 * The path with `/` and without `.` or empty components; `undefined` where it is absolute, climbs out of the archive,
 * or is not a path at all.
 */
export function safePath(name: string, fromWindows: boolean): string | undefined {
  const text = fromWindows ? name.replaceAll("\\", "/") : name;
  if (text.startsWith("/") || /^[a-z]:[\\/]/i.test(text) || text.includes("\0")) return undefined;
  if (!/(?:^|\/)\.{0,2}(?:\/|$)/.test(text)) return text;
  const parts = text.split("/");
  if (parts.includes("..")) return undefined;
  const kept = parts.filter((part) => part !== "" && part !== ".");
  return kept.length === 0 ? undefined : kept.join("/");
}
