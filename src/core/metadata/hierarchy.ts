/** Groups and arrays of a set, from its metadata documents. */
import type { ArrayMetadata } from "./array-metadata.ts";
import type { KeySeparator } from "./chunk-grid.ts";
import type { Finding } from "../findings/finding.ts";
import type { JsonValue } from "../json/json.ts";

/** A metadata document of the store: `.zarray`, `.zattrs`, `.zgroup`, `.zmetadata`, later `zarr.json`. */
export interface MetadataDocument {
  /** Store key: `sst/.zarray`. */
  readonly key: string;
  /** Text as stored (UTF-8), after inline and base64 are undone; `undefined` where it could not be fetched. */
  readonly text: string | undefined;
  /** Why there is no text. */
  readonly problem?: Finding;
  /** JSON text of the reference that it was fetched by; absent where it is in the set itself. */
  readonly fetchedBy?: string;
}

interface NodeBase {
  /** Without leading or trailing slash; `""` is the root. */
  readonly path: string;
  /** Last part of the path; `/` for the root. */
  readonly name: string;
  /** `undefined` where there is no `.zattrs` or it is broken (then a finding says so). */
  readonly attributes: JsonValue | undefined;
  /** The attribute scale_factor is written as an integer: `10`, which is another type than `10.0` to Python. */
  readonly integerScale?: true;
}

export interface GroupNode extends NodeBase {
  readonly kind: "group";
  /** False where no `.zgroup` says so and the group is only implied by its children. */
  readonly declared: boolean;
}

export interface ArrayNode extends NodeBase {
  readonly kind: "array";
  readonly metadata: ArrayMetadata;
}

/** Invalid metadata: shown where it is, with the reason. */
export interface BrokenNode extends NodeBase {
  readonly kind: "broken";
  readonly reason: Finding;
  /** Of an array in which the chunk grid alone is not understood: how its keys are written. */
  readonly gridUnread?: KeySeparator;
}

export type HierarchyNode = GroupNode | ArrayNode | BrokenNode;

/** Nodes by path, parents before children, children in name order (natural: `2` before `10`). */
export interface Hierarchy {
  readonly nodes: ReadonlyMap<string, HierarchyNode>;
  childrenOf(path: string): readonly string[];
}

/** Which part of the array a chunk is, nothing says; what there is of chunks is listed all the same. */
export const leavesChunksUnplaced = ({ code }: Pick<Finding, "code">): boolean =>
  code === "chunk-grid-unsupported" || code === "chunk-keys-unsupported";
