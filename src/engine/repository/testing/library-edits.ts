/**
 * For tests: a repository as the official library wrote it, a field at a time edited, and what the library (icechunk
 * 2.2.2) then did; `library-edits.deep.test.ts` asks it again.
 */
import { fileOf, treeOf, type TreeNode, type TreeValue } from "#formats/icechunk/testing/flat-tree.ts";
import base from "../fixtures/library-base.json" with { type: "json" };

/**
 * Steps at which the library did otherwise than with the valid repository: `open` (or its branches, session), `list` (an
 * error), `listed` (other keys), `read` (an error), `lost` (a chunk or node reads as missing, or as other bytes, without
 * an error), `tags`, `history`, `diff`, `branch` (making one), `commit`.
 */
export type Step = "open" | "list" | "listed" | "read" | "lost" | "tags" | "history" | "diff" | "branch" | "commit";

export type Files = Map<string, Uint8Array>;
export interface LibraryEdit {
  readonly name: string;
  readonly edit: (files: Files) => void;
  readonly steps: readonly Step[];
  /** The edited repository says so: what is lost is not in it, and every reader reads the same. */
  readonly isSaid?: true;
}

export const validFiles = (): Files =>
  new Map(Object.entries(base).map(([path, text]) => [path, new Uint8Array(Buffer.from(text, "base64"))]));

const HEAD = "snapshots/PYGF9CS6BNRTHBBGBZN0";
const FIRST = "snapshots/1CECHNKREP0F1RSTCMT0";
const LOG = HEAD.replace("snapshots", "transactions");
const A = "manifests/KD1D280PZ13B3T7DGKVG";
const NATIVE = "chunks/3BQ8SJ0SAS7ES45S6S70";

type Fields = TreeNode["fields"];
const tree = (path: string, change: (fields: Fields) => void) => (files: Files) => {
  const file = files.get(path) ?? new Uint8Array();
  const root = treeOf(file);
  change(root.fields);
  const edited = fileOf(root, file);
  files.set(path, edited);
  // The library reads as many bytes of a manifest as the snapshot says.
  if (path.startsWith("manifests/"))
    sizes(files, (size, id) => (idText(id) === path.slice(10) ? BigInt(edited.length) : size));
};
const list = (value: TreeValue): TreeNode[] => value as TreeNode[];
const utf8 = (text: string) => new TextEncoder().encode(text);
const textOf = (value: TreeValue) => new TextDecoder().decode(value as Uint8Array);
const node = (fields: Fields, path: string): Fields =>
  (list(fields["nodes"]).find((one) => textOf(one.fields["path"]) === path) as TreeNode).fields;
const data = (fields: Fields, path: string): Fields => (node(fields, path)["node_data"] as TreeNode).fields;
const swap = (values: unknown[], one: number, other: number): void => {
  [values[one], values[other]] = [values[other], values[one]];
};
const head = (change: (fields: Fields) => void) => tree(HEAD, change);
const repo = (change: (fields: Fields) => void) => tree("repo", change);
const refs = (change: (refs: TreeNode[]) => void) =>
  tree(A, ({ arrays }) => change(list(list(arrays)[0]?.fields["refs"])));
const reference = (at: number, change: (fields: Fields) => void) => refs((all) => change((all[at] as TreeNode).fields));
const byte = (path: string, at: number, value: number) => (files: Files) =>
  void files.get(path)?.fill(value, at, at + 1);
const u32 = (...values: readonly number[]) => new Uint8Array(Uint32Array.from(values).buffer);

function sizes(files: Files, change: (size: bigint, id: Uint8Array) => bigint): void {
  for (const path of [...files.keys()].filter((one) => /^snapshots\/(?!1CECH)/.test(one)))
    tree(path, (fields) => {
      for (const { fields: one } of list(fields["manifest_files_v2"]))
        one["size_bytes"] = change(one["size_bytes"] as bigint, one["id"] as Uint8Array);
    })(files);
}

const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
function idText(id: Uint8Array): string {
  const bits = [...id]
    .map((one) => one.toString(2).padStart(8, "0"))
    .join("")
    .padEnd(100, "0");
  return Array.from({ length: 20 }, (_, at) => DIGITS[Number.parseInt(bits.slice(5 * at, 5 * at + 5), 2)]).join("");
}

const cut = (path: string, by: number) => (files: Files) => {
  const file = files.get(path) ?? new Uint8Array();
  files.set(path, by < 0 ? file.subarray(0, by) : new Uint8Array([...file, ...new Uint8Array(by)]));
};
const without = (path: string) => (files: Files) => {
  for (const one of files.keys()) if (one.startsWith(path)) files.delete(one);
};
const all =
  (...edits: readonly ((files: Files) => void)[]) =>
  (files: Files) => {
    for (const edit of edits) edit(files);
  };
const plain = (path: string) => (files: Files) => {
  const file = files.get(path) ?? new Uint8Array();
  const { length } = fileOf(treeOf(file), file);
  files.set(
    path,
    new Uint8Array([...file.subarray(0, 38), 0, ...fileOf(treeOf(file), file).subarray(39 + 12, length)]),
  );
};
const manifestOf = (fields: Fields, path: string): Fields =>
  (list(data(fields, path)["manifests"])[0] as TreeNode).fields;
const absent = (name: string) => (fields: Fields) => void (fields[name] = undefined);
const set = (name: string, value: TreeValue) => (fields: Fields) => void (fields[name] = value);
const copied = ({ schema, fields }: TreeNode, change: Fields): TreeNode => ({
  schema,
  fields: { ...fields, ...change },
});

const edit = (name: string, change: (files: Files) => void, ...steps: readonly Step[]): LibraryEdit => ({
  name,
  edit: change,
  steps,
});
const said = (...[name, change, ...steps]: Parameters<typeof edit>): LibraryEdit => ({
  ...edit(name, change, ...steps),
  isSaid: true,
});

export const LIBRARY_EDITS: readonly LibraryEdit[] = [
  edit("nothing", () => {}),
  edit(
    "written again",
    all(
      repo(() => {}),
      head(() => {}),
      refs(() => {}),
      tree(LOG, () => {}),
    ),
  ),
  // Order
  edit(
    "two references exchanged",
    refs((of) => swap(of, 1, 6)),
    "lost",
  ),
  edit(
    "two native references exchanged",
    tree("manifests/27SWR71YXDJDAJPQ39Q0", ({ arrays }) => swap(list(list(arrays)[0]?.fields["refs"]), 0, 1)),
    "lost",
  ),
  edit(
    "two references of one chunk",
    refs((of) => void of.splice(2, 0, of[1] as TreeNode)),
    "listed",
  ),
  edit(
    "a reference outside the grid, last",
    refs((of) => void of.push(copied(of[7] as TreeNode, { index: u32(40) }))),
    "listed",
  ),
  edit(
    "a reference outside the grid, first",
    refs((of) => void of.unshift(copied(of[7] as TreeNode, { index: u32(40) }))),
    "listed",
  ),
  edit("a reference without coordinates", reference(3, set("index", u32())), "listed", "lost"),
  said("a reference with coordinates of two dimensions", reference(3, set("index", u32(3, 0))), "listed", "lost"),
  edit(
    "two nodes exchanged",
    head(({ nodes }) => swap(list(nodes), 1, 3)),
    "lost",
    "read",
  ),
  edit(
    "the root last",
    head(({ nodes }) => void list(nodes).push(list(nodes).shift() as TreeNode)),
    "lost",
  ),
  edit(
    "a node twice",
    head(({ nodes }) => void list(nodes).splice(2, 0, list(nodes)[1] as TreeNode)),
    "listed",
  ),
  edit(
    "branches exchanged",
    repo(({ branches }) => swap(list(branches), 0, 1)),
    "diff",
  ),
  edit(
    "tags not sorted",
    repo(({ tags }) => void list(tags).unshift(copied(list(tags)[0] as TreeNode, { name: utf8("zz") }))),
    "tags",
  ),
  edit(
    "a branch twice",
    repo(({ branches }) => void list(branches).push(list(branches)[1] as TreeNode)),
  ),
  edit(
    "snapshots exchanged",
    repo((fields) => exchangeSnapshots(fields)),
    "diff",
  ),
  edit(
    "manifests of the snapshot exchanged",
    head((fields) => swap(list(fields["manifest_files_v2"]), 0, 1)),
    "commit",
    "list",
    "read",
  ),
  // Extents and counts
  edit(
    "extents short",
    head((fields) => set("extents", u32(0, 5))(manifestOf(fields, "/a"))),
    "lost",
  ),
  edit(
    "extents wide",
    head((fields) => set("extents", u32(0, 500))(manifestOf(fields, "/a"))),
  ),
  edit(
    "extents empty",
    head((fields) => set("extents", u32())(manifestOf(fields, "/a"))),
  ),
  edit(
    "extents of another rank",
    head((fields) => set("extents", u32(0, 8, 0, 1))(manifestOf(fields, "/a"))),
  ),
  edit(
    "extents reversed",
    head((fields) => set("extents", u32(8, 0))(manifestOf(fields, "/a"))),
    "lost",
  ),
  edit(
    "num_chunks small",
    head((fields) => set("num_chunks", 5)((list(data(fields, "/a")["shape_v2"])[0] as TreeNode).fields)),
    "commit",
    "lost",
  ),
  edit(
    "num_chunks large",
    head((fields) => set("num_chunks", 50)((list(data(fields, "/a")["shape_v2"])[0] as TreeNode).fields)),
  ),
  edit(
    "shape_v2 absent",
    head((fields) => absent("shape_v2")(data(fields, "/a"))),
    "commit",
  ),
  edit(
    "shape_v2 empty",
    head((fields) => set("shape_v2", [])(data(fields, "/a"))),
    "commit",
  ),
  edit(
    "array_length other",
    head((fields) => set("array_length", 99n)((list(data(fields, "/a")["shape_v2"])[0] as TreeNode).fields)),
  ),
  edit(
    "dimension names absent",
    head((fields) => absent("dimension_names")(data(fields, "/a"))),
  ),
  edit(
    "dimension names of another rank",
    head((fields) => set("dimension_names", [])(data(fields, "/a"))),
  ),
  // Sizes
  edit("size of a manifest 1 too small", (files) => sizes(files, (size) => size - 1n), "commit", "list", "read"),
  edit("size of a manifest too large", (files) => sizes(files, (size) => size + 1000n)),
  edit("size of a manifest 0", (files) => sizes(files, () => 0n)),
  edit(
    "number of references wrong",
    head((fields) => list(fields["manifest_files_v2"]).forEach(({ fields: one }) => (one["num_chunk_refs"] = 99))),
  ),
  edit("manifest_files_v2 absent", head(absent("manifest_files_v2")), "commit", "list", "read"),
  edit(
    "manifest_files_v2 without one",
    head((fields) => void list(fields["manifest_files_v2"]).pop()),
    "commit",
    "list",
    "read",
  ),
  edit(
    "a manifest of another id",
    head((fields) => set("object_id", new Uint8Array(12).fill(7))(manifestOf(fields, "/a"))),
    "commit",
    "list",
    "read",
  ),
  said(
    "an array without manifests",
    head((fields) => set("manifests", [])(data(fields, "/a"))),
    "listed",
    "lost",
  ),
  edit(
    "a manifest twice",
    head(
      (fields) => void list(data(fields, "/a")["manifests"]).push(list(data(fields, "/a")["manifests"])[0] as TreeNode),
    ),
    "listed",
  ),
  // Headers
  edit("repo: version 1", byte("repo", 36, 1), "open"),
  edit("repo: version 3", byte("repo", 36, 3), "open"),
  edit("snapshot: version 1", byte(HEAD, 36, 1)),
  edit("snapshot: version 3", byte(HEAD, 36, 3), "commit", "diff", "list", "read"),
  edit("manifest: version 1", byte(A, 36, 1)),
  edit("manifest: version 3", byte(A, 36, 3), "commit", "list", "read"),
  edit("log: version 1", byte(LOG, 36, 1)),
  edit("log: version 3", byte(LOG, 36, 3), "diff"),
  edit("repo: other type", byte("repo", 37, 1), "open"),
  edit("snapshot: other type", byte(HEAD, 37, 2), "commit", "diff", "list", "read"),
  edit("manifest: other type", byte(A, 37, 1), "commit", "list", "read"),
  edit("log: other type", byte(LOG, 37, 1), "diff"),
  edit("repo: no compression", plain("repo"), "open"),
  edit("snapshot: no compression", plain(HEAD), "commit", "diff", "list", "read"),
  edit(
    "manifest: no compression",
    all(plain(A), (files) => sizes(files, () => BigInt(files.get(A)?.length ?? 0))),
    "commit",
    "list",
    "read",
  ),
  edit("log: no compression", plain(LOG), "diff"),
  edit("manifest: unknown compression", byte(A, 38, 2), "commit", "list", "read"),
  edit("repo: writer blank", (files) => void files.get("repo")?.fill(32, 12, 36)),
  edit("manifest: writer not UTF-8", (files) => void files.get(A)?.fill(255, 12, 36)),
  edit("repo: magic", byte("repo", 1, 0), "open"),
  edit("snapshot: magic", byte(HEAD, 1, 0), "commit", "diff", "list", "read"),
  edit("manifest: magic", byte(A, 1, 0), "commit", "list", "read"),
  edit("log: magic", byte(LOG, 1, 0), "diff"),
  // repo
  edit("repo: bytes behind", cut("repo", 4), "open"),
  edit("repo: cut", cut("repo", -5), "open"),
  edit("snapshot: bytes behind", cut(HEAD, 4), "commit", "diff", "list", "read"),
  edit("snapshot: cut", cut(HEAD, -5), "commit", "diff", "list", "read"),
  edit("log: bytes behind", cut(LOG, 4), "diff"),
  edit("log: cut", cut(LOG, -5), "diff"),
  edit("spec_version 1", repo(set("spec_version", 1)), "open"),
  edit("spec_version absent", repo(absent("spec_version")), "open"),
  edit("spec_version 9", repo(set("spec_version", 9)), "open"),
  edit("status absent", repo(absent("status")), "open"),
  edit(
    "status read-only",
    repo(({ status }) => set("availability", 1)((status as TreeNode).fields)),
    "branch",
    "commit",
  ),
  edit(
    "status offline",
    repo(({ status }) => set("availability", 2)((status as TreeNode).fields)),
  ),
  edit(
    "status unknown",
    repo(({ status }) => set("availability", 9)((status as TreeNode).fields)),
  ),
  edit("latest_updates absent", repo(absent("latest_updates")), "open"),
  edit("latest_updates empty", repo(set("latest_updates", [])), "branch", "commit"),
  edit(
    "latest_updates only the first",
    repo((fields) => set("latest_updates", list(fields["latest_updates"]).slice(-1))(fields)),
    "branch",
    "commit",
  ),
  edit(
    "latest_updates oldest first",
    repo((fields) => set("latest_updates", list(fields["latest_updates"]).toReversed())(fields)),
    "branch",
    "commit",
  ),
  edit("deleted_tags absent", repo(absent("deleted_tags")), "open"),
  edit("tags absent", repo(absent("tags")), "open"),
  edit("branches absent", repo(absent("branches")), "open"),
  edit(
    "no branch main",
    repo((fields) => set("branches", list(fields["branches"]).slice(0, 1))(fields)),
    "open",
  ),
  edit("config absent", repo(absent("config")), "read"),
  edit("config damaged", repo(set("config", new Uint8Array([1, 2, 3]))), "open"),
  edit("unknown flag enabled", repo(set("enabled_feature_flags", new Uint8Array([231, 3])))),
  edit("unknown flag disabled", repo(set("disabled_feature_flags", new Uint8Array([231, 3])))),
  edit("metadata absent", repo(absent("metadata"))),
  edit(
    "parent_offset -1 at the head",
    repo((fields) => set("parent_offset", 0xffff_ffff)(headOf(fields))),
    "history",
    "diff",
  ),
  edit(
    "parent_offset out of range",
    repo((fields) => set("parent_offset", 90)(headOf(fields))),
    "branch",
    "commit",
    "diff",
    "history",
  ),
  edit(
    "snapshot_index out of range",
    repo(({ branches }) => set("snapshot_index", 90)((list(branches)[1] as TreeNode).fields)),
    "open",
  ),
  edit(
    "the head not among snapshots",
    repo((fields) => set("id", new Uint8Array(12).fill(255))(headOf(fields))),
    "history",
    "commit",
    "diff",
    "list",

    "read",
  ),
  edit(
    "message other than the snapshot's",
    repo((fields) => set("message", utf8("other"))(headOf(fields))),
    "history",
  ),
  edit(
    "times in reverse",
    repo((fields) =>
      list(fields["snapshots"]).forEach(
        ({ fields: one }) => (one["flushed_at"] = 2n * 10n ** 15n - (one["flushed_at"] as bigint)),
      ),
    ),
  ),
  edit(
    "a refs folder beside",
    (files) => void files.set("refs/branch.main/ref.json", utf8('{"snapshot":"05XVJ0N1HDPVTSCENB70"}')),
  ),
  // Snapshot
  edit("snapshot: another id", head(set("id", new Uint8Array(12).fill(9)))),
  edit("snapshot: no parent_id", head(absent("parent_id"))),
  edit("snapshot: metadata absent", head(absent("metadata")), "commit", "diff", "list", "read"),
  said("snapshot: no nodes", head(set("nodes", [])), "commit", "listed", "lost", "read"),
  said(
    "snapshot: no root",
    head((fields) => set("nodes", list(fields["nodes"]).slice(1))(fields)),
    "listed",
    "lost",
  ),
  said(
    "snapshot: no group above",
    head((fields) =>
      set(
        "nodes",
        list(fields["nodes"]).filter((_, at) => at !== 2),
      )(fields),
    ),
    "listed",
    "lost",
  ),
  edit(
    "a path without slash",
    head((fields) => set("path", utf8("a"))(node(fields, "/a"))),
    "commit",
    "listed",
    "lost",
    "read",
  ),
  said(
    "a path with a slash at its end",
    head((fields) => set("path", utf8("/a/"))(node(fields, "/a"))),
    "commit",
    "listed",
    "lost",
    "read",
  ),
  said(
    "two nodes of one id",
    head((fields) => set("id", node(fields, "/g/n")["id"])(node(fields, "/a"))),
    "listed",
    "lost",
  ),
  said(
    "a node of another id than in its manifest",
    head((fields) => set("id", new Uint8Array(8).fill(8))(node(fields, "/a"))),
    "listed",
    "lost",
  ),
  said(
    "user_data no JSON",
    head((fields) => set("user_data", utf8("{"))(node(fields, "/a"))),
    "lost",
  ),
  said(
    "user_data empty",
    head((fields) => set("user_data", utf8(""))(node(fields, "/a"))),
    "lost",
  ),
  edit(
    "an array that says group",
    head((fields) => asGroup(fields)),
    "commit",
    "listed",
    "read",
  ),
  said(
    "a group's metadata for an array",
    head((fields) => set("user_data", node(fields, "/g")["user_data"])(node(fields, "/a"))),
    "lost",
  ),
  // Manifest
  edit("manifest: another id", tree(A, set("id", new Uint8Array(12).fill(9)))),
  said("manifest: no arrays", tree(A, set("arrays", [])), "listed", "lost"),
  said(
    "manifest: array without references",
    refs((of) => void of.splice(0)),
    "listed",
    "lost",
  ),
  edit(
    "manifest: array twice",
    tree(A, ({ arrays }) => void list(arrays).push(list(arrays)[0] as TreeNode)),
  ),
  edit("manifest: compression of locations unknown", tree(A, set("compression_algorithm", 7))),
  edit("a virtual reference without location", reference(5, absent("location")), "commit", "list", "read"),
  edit("a virtual reference without length", reference(5, absent("length")), "read"),
  edit("a virtual reference of a length beyond 2^53", reference(5, set("length", 2n ** 60n)), "read"),
  edit("a virtual reference at an offset beyond 2^53", reference(5, set("offset", 2n ** 60n)), "read"),
  edit("a virtual reference without checksum", reference(5, absent("checksum_etag"))),
  edit("a virtual reference with two checksums", reference(5, set("checksum_last_modified", 1735776000))),
  edit("a virtual reference with an empty ETag", reference(5, set("checksum_etag", utf8("")))),
  edit("a location that is no URL", reference(5, set("location", utf8("a.bin"))), "read"),
  edit(
    "a location outside the containers",
    reference(5, set("location", utf8("https://elsewhere.example.org/a.bin"))),
    "read",
  ),
  edit(
    "a location that is not UTF-8",
    reference(5, set("location", new Uint8Array([104, 255, 254]))),
    "commit",
    "list",
    "read",
  ),
  edit(
    "a location compressed without dictionary",
    reference(5, (fields) => compress(fields)),
    "commit",
    "list",
    "read",
  ),
  edit("an inline reference without bytes", reference(2, absent("inline")), "commit", "list", "read"),
  edit("an inline reference of no bytes", reference(2, set("inline", new Uint8Array())), "read"),
  edit(
    "an inline reference with a location",
    reference(2, set("location", utf8("https://data.example.org/a.bin"))),
    "read",
  ),
  edit(
    "a native reference without length",
    tree("manifests/27SWR71YXDJDAJPQ39Q0", ({ arrays }) =>
      absent("length")((list(list(arrays)[0]?.fields["refs"])[0] as TreeNode).fields),
    ),
    "read",
  ),
  edit(
    "a native reference shorter than its file",
    tree("manifests/27SWR71YXDJDAJPQ39Q0", ({ arrays }) =>
      set("length", 16n)((list(list(arrays)[0]?.fields["refs"])[0] as TreeNode).fields),
    ),
    "lost",
  ),
  edit(
    "a native reference with an offset",
    tree("manifests/27SWR71YXDJDAJPQ39Q0", ({ arrays }) =>
      set("offset", 8n)((list(list(arrays)[0]?.fields["refs"])[0] as TreeNode).fields),
    ),
    "lost",
  ),
  // Files
  edit("native file short", cut(NATIVE, -22), "lost"),
  edit("native file long", cut(NATIVE, 8)),
  edit("native file missing", without(NATIVE), "read"),
  edit("manifest missing", without(A), "commit", "list", "read"),
  edit("head missing", without(HEAD), "commit", "diff", "list", "read"),
  edit("first snapshot missing", without(FIRST)),
  edit("logs missing", without("transactions/"), "diff"),
  edit("log of the head missing", without(LOG), "diff"),
  edit("overwritten missing", without("overwritten/")),
  // Logs
  edit("log: another id", tree(LOG, set("id", new Uint8Array(12).fill(9)))),
  edit("log: updated_chunks absent", tree(LOG, absent("updated_chunks")), "diff"),
  edit(
    "log: an unknown node",
    tree(LOG, (fields) =>
      set("node_id", new Uint8Array(8).fill(8))((list(fields["updated_chunks"])[0] as TreeNode).fields),
    ),
    "diff",
  ),
  edit(
    "log: a chunk outside the grid",
    tree(LOG, (fields) =>
      set(
        "coords",
        u32(90, 0),
      )((list((list(fields["updated_chunks"])[0] as TreeNode).fields["chunks"])[0] as TreeNode).fields),
    ),
    "diff",
  ),
  edit("log: empty", tree(LOG, set("updated_chunks", [])), "diff"),
  edit("snapshot: manifest_files absent", head(absent("manifest_files")), "commit", "diff", "list", "read"),
  edit("snapshot: message absent", head(absent("message")), "commit", "diff", "list", "read"),
  edit("snapshot: flushed_at absent", head(absent("flushed_at"))),
  edit(
    "shape absent",
    head((fields) => absent("shape")(data(fields, "/a"))),
    "commit",
    "diff",
    "list",
    "read",
  ),
  edit(
    "shape filled",
    head((fields) => set("shape", new Uint8Array(BigUint64Array.of(16n, 2n).buffer))(data(fields, "/a"))),
  ),
  edit(
    "a dimension name absent",
    head((fields) => absent("name")((list(data(fields, "/a")["dimension_names"])[0] as TreeNode).fields)),
  ),
  edit(
    "extents absent",
    head((fields) => absent("extents")(manifestOf(fields, "/a"))),
    "commit",
    "diff",
    "list",
    "read",
  ),
  edit(
    "object_id absent",
    head((fields) => absent("object_id")(manifestOf(fields, "/a"))),
    "commit",
    "diff",
    "list",
    "read",
  ),
  edit(
    "user_data absent",
    head((fields) => absent("user_data")(node(fields, "/a"))),
    "commit",
    "diff",
    "list",
    "read",
  ),
  edit(
    "id of a node absent",
    head((fields) => absent("id")(node(fields, "/a"))),
    "commit",
    "diff",
    "list",
    "read",
  ),
  edit(
    "node_data absent",
    head((fields) => absent("node_data")(node(fields, "/a"))),
    "commit",
    "diff",
    "list",
    "read",
  ),
  said(
    "a path with two slashes",
    head((fields) => set("path", utf8("/g//n"))(node(fields, "/g/n"))),
    "commit",
    "diff",
    "listed",
    "lost",
    "read",
  ),
  said(
    "a path with a dot",
    head((fields) => set("path", utf8("/g/./n"))(node(fields, "/g/n"))),
    "commit",
    "diff",
    "listed",
    "lost",
    "read",
  ),
  edit(
    "a path with two dots",
    head((fields) => set("path", utf8("/g/../n"))(node(fields, "/g/n"))),
    "commit",
    "diff",
    "listed",
    "lost",
    "read",
  ),
  said(
    "a path named c",
    head((fields) => set("path", utf8("/g/c"))(node(fields, "/g/n"))),
    "commit",
    "diff",
    "listed",
    "lost",
    "read",
  ),
  said(
    "a path with a space",
    head((fields) => set("path", utf8("/g/ n"))(node(fields, "/g/n"))),
    "commit",
    "diff",
    "listed",
    "lost",
    "read",
  ),
  said(
    "an array within an array",
    head((fields) => set("path", utf8("/a/n"))(node(fields, "/g"))),
    "listed",
    "lost",
  ),
  edit(
    "a node of an unknown kind",
    head((fields) => set("node_data_type", 3)(node(fields, "/g"))),
    "commit",
    "diff",
    "list",
    "read",
  ),
  edit("manifest: id absent", tree(A, absent("id")), "commit", "list", "read"),
  edit(
    "manifest: node_id absent",
    tree(A, ({ arrays }) => absent("node_id")((list(arrays)[0] as TreeNode).fields)),
    "commit",
    "list",
    "read",
  ),
  edit(
    "manifest: refs absent",
    tree(A, ({ arrays }) => absent("refs")((list(arrays)[0] as TreeNode).fields)),
    "commit",
    "list",
    "read",
  ),
  edit("index absent", reference(5, absent("index")), "commit", "list", "read"),
  edit(
    "a native reference also virtual",
    tree("manifests/27SWR71YXDJDAJPQ39Q0", ({ arrays }) =>
      set(
        "location",
        utf8("https://data.example.org/a.bin"),
      )((list(list(arrays)[0]?.fields["refs"])[0] as TreeNode).fields),
    ),
  ),
  edit("an ETag without quotes", reference(5, set("checksum_etag", utf8("e1")))),
  edit("a weak ETag", reference(5, set("checksum_etag", utf8('W/"e1"')))),
  edit("a location with a space", reference(5, set("location", utf8("https://data.example.org/a b.bin")))),
  edit("a location with two dots", reference(5, set("location", utf8("https://data.example.org/x/../../a.bin")))),
  edit("a location of a relative container", reference(5, set("location", utf8("vcc://data/a.bin"))), "read"),
  edit("a location in capitals", reference(5, set("location", utf8("HTTPS://DATA.EXAMPLE.ORG/a.bin")))),
  edit("a location with a user", reference(5, set("location", utf8("https://me@data.example.org/a.bin"))), "read"),
  edit("a location with a port", reference(5, set("location", utf8("https://data.example.org:443/a.bin")))),
  edit("a location of the prefix alone", reference(5, set("location", utf8("https://data.example.org/")))),
  edit(
    "latest_updates only the first, continued",
    repo(
      (fields) => (
        set("latest_updates", list(fields["latest_updates"]).slice(-1))(fields),
        set("repo_before_updates", utf8("repo.1"))(fields)
      ),
    ),
    "branch",
    "commit",
  ),
  edit(
    "latest_updates only the newest, continued",
    repo(
      (fields) => (
        set("latest_updates", list(fields["latest_updates"]).slice(0, 1))(fields),
        set("repo_before_updates", utf8("repo.1"))(fields)
      ),
    ),
  ),
  edit(
    "latest_updates only the newest",
    repo((fields) => set("latest_updates", list(fields["latest_updates"]).slice(0, 1))(fields)),
  ),
  edit(
    "latest_updates without backup paths",
    repo((fields) => list(fields["latest_updates"]).forEach(({ fields: one }) => (one["backup_path"] = undefined))),
  ),
  edit(
    "an update of an unknown kind",
    repo((fields) => void ((list(fields["latest_updates"])[0] as TreeNode).fields["update_type_type"] = 77)),
    "branch",
    "commit",
  ),
  edit(
    "a deleted tag that is there",
    repo((fields) => void (fields["deleted_tags"] = undefined)),
    "open",
  ),
  edit(
    "flushed_at absent in repo",
    repo((fields) => absent("flushed_at")(headOf(fields))),
  ),
  edit(
    "message absent in repo",
    repo((fields) => absent("message")(headOf(fields))),
    "open",
  ),
  edit(
    "metadata absent in repo's snapshot",
    repo((fields) => absent("metadata")(headOf(fields))),
  ),
  edit(
    "a tag of the name of a branch",
    repo(({ tags }) => void list(tags).unshift(copied(list(tags)[0] as TreeNode, { name: utf8("main") }))),
    "tags",
  ),
  edit("log: moved from an unknown path", tree(LOG, set("updated_groups", new Uint8Array(8).fill(3))), "diff"),
  edit("log: new_arrays absent", tree(LOG, absent("new_arrays")), "diff"),
];

const headOf = (fields: Fields): Fields =>
  (list(fields["snapshots"]).find(({ fields: one }) => textOf(one["message"]) === "three") as TreeNode).fields;

/** Their places change, so what points to them is changed as well. */
function exchangeSnapshots(fields: Fields): void {
  swap(list(fields["snapshots"]), 0, 3);
  const moved = (place: TreeValue) => (place === 0 ? 3 : place === 3 ? 0 : place);
  for (const { fields: one } of list(fields["snapshots"])) one["parent_offset"] = moved(one["parent_offset"] ?? 0);
  for (const name of ["branches", "tags"])
    for (const { fields: one } of list(fields[name])) one["snapshot_index"] = moved(one["snapshot_index"] ?? 0);
}

function asGroup(fields: Fields): void {
  const one = node(fields, "/a");
  one["node_data_type"] = 2;
  one["node_data"] = { schema: [], fields: {} };
}

function compress(fields: Fields): void {
  fields["compressed_location"] = fields["location"];
  fields["location"] = undefined;
}
