import type { ReactNode } from "react";
import { freshId, type CredentialRow, type RuleRow } from "./locations-draft.ts";
import styles from "./LocationsForm.module.css";

export interface TableProps<Row> {
  readonly rows: readonly Row[];
  readonly onChange: (rows: readonly Row[]) => void;
}

/** "Read this prefix from there." */
export function RuleTable({ rows, onChange }: TableProps<RuleRow>) {
  return (
    <RowsTable
      title="Rewrite rules"
      hint="Targets that begin with the left side are read from the right side instead; the longest match wins. Remembered on this computer."
      heads={["Targets that begin with", "are read from"]}
      empty="No rule: targets are read from where the set says."
      rows={rows}
      add="Add a rule"
      onAdd={() => onChange([...rows, { id: freshId(rows), from: "", to: "" }])}
      onRemove={(id) => onChange(rows.filter((row) => row.id !== id))}
      cells={(row) => {
        const set = (part: Partial<RuleRow>) => onChange(replaced(rows, { ...row, ...part }));
        return [
          <Cell
            key="from"
            label="From prefix"
            value={row.from}
            placeholder="s3://bucket/"
            onChange={(from) => set({ from })}
          />,
          <Cell
            key="to"
            label="To prefix"
            value={row.to}
            placeholder="https://…/"
            first={row.offered === true}
            onChange={(to) => set({ to })}
          />,
        ];
      }}
    />
  );
}

/** A request header for one URL prefix. */
export function CredentialTable({ rows, onChange }: TableProps<CredentialRow>) {
  return (
    <RowsTable
      title="Credentials"
      hint="A request header for one URL prefix. Kept in memory only, sent only to this prefix, gone when the tab is closed; never part of a link."
      heads={["URL prefix", "Header", "Value"]}
      empty="None: requests carry no credentials and no cookies."
      rows={rows}
      add="Add a credential"
      onAdd={() => onChange([...rows, { id: freshId(rows), prefix: "", name: "Authorization", value: "" }])}
      onRemove={(id) => onChange(rows.filter((row) => row.id !== id))}
      cells={(row) => {
        const set = (part: Partial<CredentialRow>) => onChange(replaced(rows, { ...row, ...part }));
        return [
          <Cell
            key="p"
            label="URL prefix"
            value={row.prefix}
            placeholder="https://data.example/"
            onChange={(prefix) => set({ prefix })}
          />,
          <Cell
            key="n"
            label="Header name"
            value={row.name}
            placeholder="Authorization"
            onChange={(name) => set({ name })}
          />,
          <Cell
            key="v"
            label="Header value"
            value={row.value}
            placeholder="Bearer …"
            secret
            onChange={(value) => set({ value })}
          />,
        ];
      }}
    />
  );
}

function replaced<Row extends { readonly id: number }>(rows: readonly Row[], changed: Row): readonly Row[] {
  return rows.map((row) => (row.id === changed.id ? changed : row));
}

interface RowsTableProps<Row> {
  readonly title: string;
  readonly hint: string;
  readonly heads: readonly string[];
  readonly empty: string;
  readonly rows: readonly Row[];
  readonly add: string;
  readonly onAdd: () => void;
  readonly onRemove: (id: number) => void;
  readonly cells: (row: Row) => readonly ReactNode[];
}

function RowsTable<Row extends { readonly id: number }>({ title, heads, rows, cells, ...props }: RowsTableProps<Row>) {
  return (
    <section className={styles.section} aria-label={title}>
      <h3 className={styles.title}>{title}</h3>
      <p className={styles.hint}>{props.hint}</p>
      {rows.length === 0 ? (
        <p className={styles.none}>{props.empty}</p>
      ) : (
        <table className={styles.table}>
          <thead>
            <tr>
              {heads.map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
              <th scope="col">
                <span className={styles.unseen}>Remove</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.id}>
                {cells(row).map((cell, at) => (
                  <td key={heads[at]}>{cell}</td>
                ))}
                <td>
                  <button type="button" data-kind="quiet" onClick={() => props.onRemove(row.id)}>
                    Remove
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <button type="button" onClick={props.onAdd}>
        {props.add}
      </button>
    </section>
  );
}

interface CellProps {
  readonly label: string;
  readonly value: string;
  readonly placeholder: string;
  readonly secret?: boolean;
  /** Where one begins to type. */
  readonly first?: boolean;
  readonly onChange: (value: string) => void;
}

function Cell({ label, value, placeholder, secret = false, first = false, onChange }: CellProps) {
  return (
    <input
      className={styles.cell}
      type={secret ? "password" : "text"}
      aria-label={label}
      value={value}
      placeholder={placeholder}
      spellCheck={false}
      data-autofocus={first ? "" : undefined}
      autoComplete={secret ? "new-password" : "off"}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
