/** Characters that a reader of the script would not see, or see elsewhere than they are. */
const HIDDEN = /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** A Python string literal. JSON's escapes all mean the same in Python. */
export function pythonString(text: string): string {
  return JSON.stringify(text).replace(HIDDEN, (hidden) => `\\u${hidden.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
