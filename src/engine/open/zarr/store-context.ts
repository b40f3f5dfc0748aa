/** What the ways of finding an array's references in a store share while it is opened. */
import type { FindingLog } from "../../../core/findings/finding-log.ts";
import type { Hierarchy } from "../../../core/hierarchy.ts";
import type { Store } from "../../../io/store.ts";
import type { ParquetDocuments } from "../kerchunk-parquet/parquet-set.ts";
import type { GrowingTable } from "../paged-set.ts";
import type { TargetReader } from "../target-reader.ts";

export interface StoreContext {
  readonly store: Store;
  readonly hierarchy: Hierarchy;
  readonly table: GrowingTable;
  readonly targets: TargetReader;
  readonly parquet: ParquetDocuments | undefined;
  readonly opening: FindingLog;
}
