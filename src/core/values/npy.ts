/** NumPy's file format, version 1.0 (numpy.org, "numpy.lib.format"): a header of Python's literals, then the elements. */

const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0];
/** Elements begin at a multiple of it. */
const ALIGNMENT = 64;

/** `descr`: the type as NumPy writes it, `<f4`, or a list of fields. `bytes`: the elements in C order. */
export function npyFile(descr: string, shape: readonly number[], bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const written = descr.startsWith("[") ? descr : `'${descr}'`;
  const extent = `(${shape.join(", ")}${shape.length === 1 ? "," : ""})`;
  const literal = `{'descr': ${written}, 'fortran_order': False, 'shape': ${extent}, }`;
  const bare = MAGIC.length + 2 + literal.length + 1;
  const header = new TextEncoder().encode(literal + " ".repeat((ALIGNMENT - (bare % ALIGNMENT)) % ALIGNMENT) + "\n");
  const file = new Uint8Array(MAGIC.length + 2 + header.length + bytes.length);
  file.set(MAGIC);
  new DataView(file.buffer).setUint16(MAGIC.length, header.length, true);
  file.set(header, MAGIC.length + 2);
  file.set(bytes, MAGIC.length + 2 + header.length);
  return file;
}
