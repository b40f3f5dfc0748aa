/** A zip archive of a few files, deflated. The library that writes it is fetched with the first. */
export async function writeZipArchive(files: ReadonlyMap<string, string>): Promise<Uint8Array<ArrayBuffer>> {
  const { zipSync, strToU8 } = await import("fflate");
  const entries = [...files].map(([name, text]) => [name, strToU8(text)] as const);
  return Uint8Array.from(zipSync(Object.fromEntries(entries)));
}
