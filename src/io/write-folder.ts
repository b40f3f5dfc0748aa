/** Files in a new folder inside one that the user chose; `undefined` where there is one of that name with something in it. */
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
