/** A Python pickle (pickletools, protocols 2 to 5). Never decoded: it is a program. */
import { factsOf, type Recognise } from "./signature.ts";

const PROTO = 0x80;
const FRAME = 0x95;
const STOP = 0x2e;

export const pickle: Recognise = (bytes) => {
  const protocol = bytes[1] ?? 0;
  if (bytes[0] !== PROTO || bytes.length < 4 || protocol < 2 || protocol > 5) return undefined;
  // From protocol 4 on a frame follows; before, the end must do.
  const isSure = protocol >= 4 ? bytes[2] === FRAME : bytes.at(-1) === STOP;
  if (!isSure) return undefined;
  return {
    name: "pickle",
    label: `Python pickle, protocol ${protocol}`,
    facts: factsOf({ Protocol: String(protocol) }),
  };
};
