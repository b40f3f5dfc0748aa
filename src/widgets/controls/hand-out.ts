/** Puts text on the clipboard. Pages served over plain HTTP have no clipboard API; there the selection is copied. */
export async function copyText(text: string): Promise<boolean> {
  try {
    if (isSecureContext) {
      await navigator.clipboard.writeText(text);
      return true;
    }
  } catch {
    // Refused (no focus, no permission): the older way may still be allowed.
  }
  return copyBySelection(text);
}

function copyBySelection(text: string): boolean {
  const focused = document.activeElement;
  const field = document.createElement("textarea");
  field.value = text;
  field.readOnly = true;
  field.style.position = "fixed";
  field.style.opacity = "0";
  // Within a modal dialog only its own content can be selected.
  (document.querySelector("dialog[open]") ?? document.body).append(field);
  field.select();
  const copied = document.execCommand("copy");
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return copied;
}

// Hands a file to the browser's downloads.

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
