/** What the page brings along to try it with. */
export interface Sample {
  readonly title: string;
  readonly detail: string;
  /** Relative to the page. */
  readonly address: string;
  /** Where it is shown; absent = Overview. */
  readonly view?: "edit" | "history";
}

export const SAMPLES: readonly Sample[] = [
  {
    title: "Ocean sample",
    detail: "Eight arrays of a synthetic ocean, referenced in two HDF5 files by Kerchunk.",
    address: "samples/ocean.v1.json",
  },
  {
    title: "Ocean sample, broken on purpose",
    detail:
      "The same with six faults, such as a shifted offset and a target that does not exist: see how they are shown.",
    address: "samples/ocean-broken.json",
  },
  {
    title: "One file of it",
    detail: "The references of the first HDF5 file alone, as Kerchunk wrote them.",
    address: "samples/ocean-a.v1.json",
  },
  {
    title: "Ocean with a history",
    detail: "An Icechunk repository with commits, a branch and tags. Opens in History.",
    address: "samples/ocean.icechunk",
    view: "history",
  },
  {
    title: "The specification's example",
    detail: "Version 1 with templates and gen: nine references, of which most readers see fewer. Opens in the studio.",
    address: "samples/specification.v1.json",
    view: "edit",
  },
];
