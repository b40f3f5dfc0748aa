/** FNV-1a over the characters of a text, from a hash before it. Equal hashes are not proof of equal texts. */
export function hashText(start: number, text: string): number {
  let hash = Math.imul(start ^ text.length, 0x0100_0193);
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x0100_0193);
  return hash >>> 0;
}
