/** The columns of the grid "Version 0"; their widths are in its style sheet. */
export interface RowColumn {
  readonly id: "key" | "target" | "offset" | "length" | "from" | "readers";
  readonly header: string;
  readonly title: string;
  readonly numeric: boolean;
}

export const ROW_COLUMNS: readonly RowColumn[] = [
  { id: "key", header: "Key", title: "In the order of fsspec's dict", numeric: false },
  {
    id: "target",
    header: "Target",
    title: "URL as rendered; for inline values and metadata, their text",
    numeric: false,
  },
  { id: "offset", header: "Offset", title: "Bytes", numeric: true },
  { id: "length", header: "Length", title: "Bytes", numeric: true },
  { id: "from", header: "From", title: "What made the reference: refs, or a gen and its values", numeric: false },
  { id: "readers", header: "Other readers", title: "Which other readers read this key differently", numeric: false },
];
