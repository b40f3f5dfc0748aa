/** Keys of commands: matching events, and writing them for people. */
import { COMMANDS, type Command } from "./commands.ts";

export interface KeyPress {
  readonly key: string;
  /** The key's place: with Alt the character is another on many keyboards. */
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

/** The command that a key press means. Bare characters mean nothing while one types (`typing`); else a digit is a view. */
export function commandOfKey(press: KeyPress, typing: boolean): Command | undefined {
  const pressed = pressedKey(press, typing);
  return pressed === undefined ? undefined : COMMANDS.find((command) => command.key === pressed);
}

function pressedKey({ key, code, ctrlKey, metaKey, altKey }: KeyPress, typing: boolean): string | undefined {
  const modified = ctrlKey || metaKey;
  if (modified && altKey) return undefined; // AltGr: a character
  if (modified) return `Mod+${key.toLowerCase()}`;
  if (altKey) return `Alt+${code.replace(/^(?:Digit|Numpad|Key)/, "").toLowerCase()}`;
  if (typing) return undefined;
  return /^[1-9]$/.test(key) ? `Alt+${key}` : key;
}

/** `⌘K` on a Mac, `Ctrl+K` elsewhere. */
export function keyText(key: string, mac: boolean): string {
  const [, modifier, letter = key] = /^(Mod|Alt)\+(.)$/.exec(key) ?? [];
  if (modifier === undefined) return key;
  const sign = modifier === "Mod" ? (mac ? "⌘" : "Ctrl+") : mac ? "⌥" : "Alt+";
  return sign + letter.toUpperCase();
}

export const IS_MAC = /mac|iphone|ipad/i.test(globalThis.navigator?.userAgent ?? "");
