/** Any open set in a form, as files in the order in which they are to be written. */
import type { CallContext } from "#core/byte-source.ts";
import { failure, type Finding, WHOLE_SET } from "#core/findings/finding.ts";
import type { EngineSet } from "../engine-set.ts";
import type { FromThere } from "./relative-targets.ts";
import { writableSet } from "./writable.ts";
import type { CopyCost } from "./write-zarr.ts";

export const FORMS = ["kerchunk-json", "kerchunk-json-v0", "kerchunk-parquet", "icechunk", "zarr"] as const;

export interface FormWish {
  readonly form: (typeof FORMS)[number];
  /** Place in which sources with relative or local paths will lie. */
  readonly prefix?: string | undefined;
  readonly fromThere?: FromThere;
  /** Icechunk: the commit's. */
  readonly message?: string | undefined;
  /** Kerchunk Parquet: references in a file. */
  readonly recordSize?: number | undefined;
}

export interface FormFile {
  /** Below the folder of the set; "" where the form is one file. */
  readonly path: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly references: number;
}

export interface PlannedForm {
  readonly findings: readonly Finding[];
  /** Pieces, where the form is one file. */
  readonly files: () => AsyncIterable<FormFile>;
  /** References of a form of one file, once it is written. */
  readonly written: () => number;
  /** Zarr: what is read to be copied. */
  readonly cost?: CopyCost;
  /** Zarr: chunks that could not be read, once all is written. */
  readonly found?: readonly Finding[];
}

const NONE = () => 0;

/** @throws RefscopeError as `writableSet` does, `export-impossible`; an `AbortError` */
export async function planForm(
  set: EngineSet,
  { form, prefix, fromThere, message, recordSize }: FormWish,
  context: CallContext,
): Promise<PlannedForm> {
  if (form === "icechunk") {
    const { icechunkForm } = await import("./icechunk/files.ts");
    const { findings, files } = await icechunkForm(set, { prefix, message }, context);
    return { findings, files, written: NONE };
  }
  if (form === "zarr") {
    const { planZarr, zarrFiles } = await import("./write-zarr.ts");
    const plan = await planZarr(set, context);
    const found: Finding[] = [];
    return { ...plan, found, files: () => zarrFiles(plan, found, context), written: NONE };
  }
  const writable = await writableSet(set, { sources: prefix, ...(fromThere && { fromThere }) }, context);
  if (form === "kerchunk-parquet") {
    const { parquetFiles, planParquet, RECORD_SIZE } = await import("./write-parquet.ts");
    const plan = planParquet(writable);
    if (plan.documents.size === 0) throw failure("export-impossible", WHOLE_SET, { why: "nothing" });
    return {
      findings: plan.findings,
      files: () => parquetFiles(plan, recordSize ?? RECORD_SIZE, context),
      written: NONE,
    };
  }
  const { planJson } = await import("./write-json.ts");
  const { writing, findings } = planJson(writable, form === "kerchunk-json-v0" ? "version0" : "version1");
  async function* pieces() {
    for (const bytes of writing.pieces) {
      context.signal.throwIfAborted();
      yield { path: "", bytes, references: 0 };
    }
  }
  return { findings, files: pieces, written: () => writing.written() };
}
