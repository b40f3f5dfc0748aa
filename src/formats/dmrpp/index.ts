/** DMR++: OPeNDAP's XML that says where the chunks of a file beside it lie, as NASA has it beside its granules. */
export { readDmrpp } from "./read-dmrpp.ts";
