/** Samples that the page brings along. */
interface Sample {
  readonly title: string;
  readonly detail: string;
  /** Relative to the page. */
  readonly address: string;
  /** View to show it in; absent = Overview. */
  readonly view?: "edit" | "history";
  /** Picture of its values, made by `tools/make-sample-pictures.mjs`. */
  readonly picture?: string;
}

export const SAMPLES: readonly Sample[] = [
  {
    title: "Ocean sample",
    detail: "Eight arrays in two HDF5 files",
    address: "samples/ocean.v1.json",
    picture: "ocean",
  },
  {
    title: "Ocean sample, broken on purpose",
    detail: "The same with six faults to find",
    address: "samples/ocean-broken.json",
    picture: "ocean",
  },
  {
    title: "One file only",
    detail: "As Kerchunk wrote it",
    address: "samples/ocean-a.v1.json",
    picture: "ocean-a",
  },
  {
    title: "Ocean with a history",
    detail: "Icechunk: a branch and tags",
    address: "samples/ocean.icechunk",
    view: "history",
    picture: "ocean-history",
  },
  {
    title: "The specification's example",
    detail: "Templates and gen, in the studio",
    address: "samples/specification.v1.json",
    view: "edit",
  },
];
