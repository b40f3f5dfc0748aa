/** Many files written at once: into a zip archive, whose library is fetched with the first one, or into a folder. */

/** Stands for the time of writing, so that the same files are the same bytes. */
const mtime = new Date(1980, 0, 1);

/** Writes a few files into an archive, deflated. */
export async function writeZipArchive(files: ReadonlyMap<string, string>): Promise<Uint8Array<ArrayBuffer>> {
  const { zipSync, strToU8 } = await import("fflate");
  const entries = [...files].map(([name, text]) => [name, strToU8(text)] as const);
  return Uint8Array.from(zipSync(Object.fromEntries(entries), { mtime }));
}

type Piece = Uint8Array<ArrayBuffer>;

/** Limits of an archive without ZIP64. */
const LIMITS = { files: 65_535, bytes: 2 ** 32 - 1 };
/** More bytes than all records of a file have, its name three times aside. */
const RECORDS = 128;

/** Files in a folder, each stored as it is; `give` gets the archive in pieces. */
export async function zipWriter(folder: string, give: (piece: Piece) => void, most = LIMITS) {
  const { Zip, ZipPassThrough } = await import("fflate");
  const zip = new Zip((error, piece) => {
    if (error !== null) throw error;
    give(piece);
  });
  let [files, bytes] = [0, 0];
  return {
    /** False, and nothing added, where there would be more than an archive can hold. */
    add(path: string, content: Piece): boolean {
      const file = new ZipPassThrough(`${folder}/${path}`);
      const added = content.length + RECORDS + 6 * file.filename.length;
      if (files >= most.files || bytes + added > most.bytes) return false;
      [files, bytes] = [files + 1, bytes + added];
      file.mtime = mtime;
      zip.add(file);
      file.push(content, true);
      return true;
    },
    end: () => zip.end(),
    remove: () => Promise.resolve(),
  };
}

/**
 * Files in a new folder inside one that the user chose; `undefined` where there is one of that name with something in
 * it.
 */
export async function folderWriter(chosen: FileSystemDirectoryHandle, name: string) {
  const folder = await chosen.getDirectoryHandle(name, { create: true });
  for await (const _ of folder.keys()) return undefined;
  return {
    async add(path: string, content: Uint8Array<ArrayBuffer>): Promise<boolean> {
      let at = folder;
      const parts = path.split("/");
      for (const part of parts.slice(0, -1)) at = await at.getDirectoryHandle(part, { create: true });
      const file = await at.getFileHandle(parts.at(-1) ?? "", { create: true });
      const stream = await file.createWritable();
      await stream.write(content);
      await stream.close();
      return true;
    },
    end: () => undefined,
    remove: (): Promise<void> => chosen.removeEntry(name, { recursive: true }),
  };
}
