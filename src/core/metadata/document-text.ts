/** A byte order mark stays, so that it is found: Python's `json` refuses it in text. */
const DECODER = new TextDecoder("utf-8", { ignoreBOM: true });

/** The text of a metadata document; bytes that are not UTF-8 become U+FFFD. */
export const documentTextOf = (bytes: Uint8Array): string => DECODER.decode(bytes);
