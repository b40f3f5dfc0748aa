/** Fields for members of configurations, as the lab shows them. */
import type { CodecField } from "../core/check/lab.ts";

const SIZES = ["1", "2", "4", "8", "12", "16"];
const TYPES = ["|i1", "|u1", "<i2", "<u2", "<i4", "<u4", "<i8", "<f4", "<f8", ">i2", ">i4", ">f4", ">f8"];

/** Bytes of an element. */
export const sizeField = (name: string): CodecField => ({ name, kind: "number", often: SIZES });
export const numberField = (name: string): CodecField => ({ name, kind: "number", often: [] });
/** A data type as Zarr v2 writes it. */
export const typeField = (name: string): CodecField => ({ name, kind: "text", often: TYPES });
export const jsonField = (name: string): CodecField => ({ name, kind: "json", often: [] });
/** One of these and nothing else. */
export const choiceField = (name: string, often: readonly string[]): CodecField => ({
  name,
  kind: "text",
  often,
  only: true,
});
