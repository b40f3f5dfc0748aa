/**
 * Decoders' hot loops in AssemblyScript, compiled by `npm run wasm` into `decode.generated.ts`. They keep nothing at
 * addresses of their own, so that they also work inside the memory of another module (`zstd-decoder.ts`): the host says
 * where everything is.
 */
export { blosclz } from "./blosclz.as";
export { inflate, inflateEnd, inflateOut } from "./inflate.as";
export { lz4 } from "./lz4.as";
export { adler32, crc, crcFold, crcTables } from "./sums.as";
export { unshuffleBits, unshuffleBytes } from "./unshuffle.as";
