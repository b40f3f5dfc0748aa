import { freshId, type CredentialRow, type RuleRow } from "./locations-draft.ts";
import styles from "./LocationsForm.module.css";

export interface TableProps<Row> {
  readonly rows: readonly Row[];
  readonly onChange: (rows: readonly Row[]) => void;
}

interface Column<Member extends string> {
  readonly member: Member;
  readonly head: string;
  /** Name of its fields. */
  readonly label: string;
  readonly placeholder: string;
  readonly secret?: true;
  /** Where one begins to type in a row that was begun for the user. */
  readonly first?: true;
}

const RULE_COLUMNS: readonly Column<"from" | "to">[] = [
  { member: "from", head: "Targets that begin with", label: "From prefix", placeholder: "s3://bucket/" },
  { member: "to", head: "are read from", label: "To prefix", placeholder: "https://…/", first: true },
];

/** "Read this prefix from there." */
export function RuleTable(table: TableProps<RuleRow>) {
  return (
    <RowsTable
      title="Rewrite rules"
      hint="Targets that begin with the left side are read from the right side instead; the longest match wins. Remembered on this computer."
      empty="No rule: targets are read from where the set says."
      add="Add a rule"
      columns={RULE_COLUMNS}
      begun={{ from: "", to: "" }}
      {...table}
    />
  );
}

const CREDENTIAL_COLUMNS: readonly Column<"prefix" | "name" | "value">[] = [
  { member: "prefix", head: "URL prefix", label: "URL prefix", placeholder: "https://data.example/" },
  { member: "name", head: "Header", label: "Header name", placeholder: "Authorization" },
  { member: "value", head: "Value", label: "Header value", placeholder: "Bearer …", secret: true },
];

/** A request header for one URL prefix. */
export function CredentialTable(table: TableProps<CredentialRow>) {
  return (
    <RowsTable
      title="Credentials"
      hint="A request header for one URL prefix. Kept in memory only, sent only to this prefix, gone when the tab is closed; never part of a link."
      empty="None: requests carry no credentials and no cookies."
      add="Add a credential"
      columns={CREDENTIAL_COLUMNS}
      begun={{ prefix: "", name: "Authorization", value: "" }}
      {...table}
    />
  );
}

type RowOf<Member extends string> = Readonly<Record<Member, string>> & {
  readonly id: number;
  readonly offered?: true;
};

interface RowsTableProps<Member extends string> extends TableProps<RowOf<Member>> {
  readonly title: string;
  readonly hint: string;
  readonly empty: string;
  readonly add: string;
  readonly columns: readonly Column<Member>[];
  /** What a new row begins with. */
  readonly begun: Readonly<Record<Member, string>>;
}

function RowsTable<Member extends string>(props: RowsTableProps<Member>) {
  const { title, columns, rows, onChange } = props;
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
              {columns.map(({ head }) => (
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
                {columns.map(({ member, label, placeholder, secret, first }) => (
                  <td key={member}>
                    <Cell
                      {...{ label, placeholder, secret }}
                      value={row[member]}
                      first={first === true && row.offered === true}
                      onChange={(value) =>
                        onChange(rows.map((one) => (one.id === row.id ? { ...row, [member]: value } : one)))
                      }
                    />
                  </td>
                ))}
                <td>
                  <button
                    type="button"
                    data-kind="quiet"
                    onClick={() => onChange(rows.filter((one) => one.id !== row.id))}
                  >
                    Remove
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <button type="button" onClick={() => onChange([...rows, { id: freshId(rows), ...props.begun }])}>
        {props.add}
      </button>
    </section>
  );
}

interface CellProps {
  readonly label: string;
  readonly value: string;
  readonly placeholder: string;
  readonly secret: boolean | undefined;
  /** Where one begins to type. */
  readonly first: boolean;
  readonly onChange: (value: string) => void;
}

function Cell({ label, value, placeholder, secret = false, first, onChange }: CellProps) {
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
