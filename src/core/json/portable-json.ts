/** JSON for all readers of Zarr. */
import { inAscii } from "./python-json.ts";

/**
 * JSON as all readers of Zarr take it: in ASCII, since zarr-python 2 decodes metadata so (zarr/util.py, `json_loads`), and
 * NaN and the infinities as texts, as Zarr writes them in fill values: RFC 8259 has no word for them, and `JSON.parse`
 * refuses the whole document. `json`: a whole value, as Python or anybody else writes it. `onWord`: of each NaN and
 * infinity.
 */
export function portableJson(json: string, onWord: () => void = () => undefined): string {
  return json.replaceAll(/"(?:[^"\\]+|\\.)*"|-?Infinity|NaN/gs, (token) => {
    if (token.startsWith('"')) return inAscii(token);
    onWord();
    return `"${token}"`;
  });
}
