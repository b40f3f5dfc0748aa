/** Hands a file to the browser's downloads. */

/** The address of the file is given back when the browser has surely taken it up. */
const GIVE_BACK_MS = 60_000;

export function download(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), GIVE_BACK_MS);
}
