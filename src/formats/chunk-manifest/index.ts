/** Chunk manifests: the proposed storage transformer of Zarr v3 (zarr-specs issue 287), as VirtualiZarr and zarrs wrote it. */
export { addManifest } from "./add.ts";
export { candidatePaths, chooseBase, isRelativePath, targetOf, type PathBase } from "./base.ts";
export { pathBelow, prefixCover, type PrefixCover, type PrefixEntry } from "./prefixes.ts";
export { MAX_MANIFEST_BYTES, readManifest, type Manifest, type ManifestSource, type ManifestPlace } from "./read.ts";
export { manifestOf, storedGrid, storedSeparator, type ManifestReference } from "./transformer.ts";
