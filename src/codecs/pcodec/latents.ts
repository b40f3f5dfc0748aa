/** Numbers on their way: unsigned integers of the width of the number type, in the order of the numbers they represent. */

/** Numbers that are decoded at once. */
export const BATCH = 256;

/** A batch of them. Of narrower ones than 32 bits the bits above are arbitrary; `hi` is used for 64 bits only. */
export interface Latents {
  readonly lo: Int32Array<ArrayBuffer>;
  readonly hi: Int32Array<ArrayBuffer>;
}

export const newLatents = (): Latents => ({ lo: new Int32Array(BATCH), hi: new Int32Array(BATCH) });
