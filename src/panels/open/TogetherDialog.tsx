/** Tells if data files are one dataset: the verdict, problems, facts; then opens them as one. */
import { type ReactNode, useMemo, useState } from "react";
import { barrierFacts, barrierSeverity, stopsCombining } from "#core/check/preflight.ts";
import type { Asked, FactCell, FactTable, Together } from "#core/check/preflight.ts";
import { type Finding, placeText } from "#core/findings/fact.ts";
import { groupedBy } from "#core/basics.ts";
import { listed } from "#core/words.ts";
import { combinedWords } from "#core/words/combined-words.ts";
import type { Begun } from "#store/hooks/use-task.ts";
import { useActions } from "#store/react.tsx";
import { Button, LinkButton, TextField } from "#widgets/controls/Button.tsx";
import { Choice } from "#widgets/controls/Segmented.tsx";
import { Dialog } from "#widgets/controls/Dialog.tsx";
import type { GridColumn } from "#widgets/data-grid/columns.ts";
import { useGridTable } from "#widgets/data-grid/GridTable.tsx";
import { CutKey } from "#widgets/data-grid/CutText.tsx";
import { DataGrid, HEAD_HEIGHT, ROW_HEIGHT, useGridCursor } from "#widgets/data-grid/DataGrid.tsx";
import { FindingItem, FindingWords } from "#widgets/notes/FindingItem.tsx";
import { ErrorNotice, Loading, useExplain } from "#widgets/notes/Notices.tsx";
import { SeverityMark } from "#widgets/notes/marks.tsx";
import { countOf, formatCount } from "#widgets/number-format.ts";
import { TabPanel, Tabs } from "#widgets/controls/Tabs.tsx";
import { Section } from "#widgets/Section.tsx";
import { useToggles } from "#widgets/hooks.ts";
import styles from "./TogetherDialog.module.css";

interface TogetherDialogProps {
  readonly files: number;
  readonly begun: Begun<Together | undefined>;
  readonly onExamine: (choice: string) => void;
  readonly onBack: () => void;
}

export function TogetherDialog({ files, begun, onExamine, onBack }: TogetherDialogProps) {
  const { dismissChoice } = useActions();
  // The result for another dimension replaces this one once it is there.
  const [shown, setShown] = useState<Together>();
  if (begun.found !== undefined && begun.found !== shown) setShown(begun.found);
  const { asked = {}, groups = [], fit } = shown ?? {};
  const ask = (wish: Asked) => onExamine((shown?.again ?? "") + JSON.stringify({ ...asked, ...wish } satisfies Asked));
  const buttons = <Buttons shown={shown} isSettled={shown !== undefined && shown === begun.found} onBack={onBack} />;
  return (
    <Dialog
      // The focus goes in again when there is something to decide.
      key={String(shown === undefined)}
      title={`All ${formatCount(files)} as one dataset`}
      size="wide"
      onClose={dismissChoice}
      footer={shown === undefined && begun.running ? undefined : buttons}
    >
      <div className={styles.together}>
        {begun.error === undefined ? null : <ErrorNotice error={begun.error} />}
        {shown === undefined ? null : (
          <Groups
            groups={groups}
            all={files}
            shown={asked.group}
            onShow={(group) => ask({ group, drop: [], along: undefined })}
          >
            <Verdict together={shown} onAlong={(along) => ask({ along })} />
            <Findings
              findings={shown.findings}
              isLeaveable={(name) => name !== shown.along && !shown.dimensions.includes(name)}
              onLeave={(names) => ask({ along: shown.along, drop: [...(asked.drop ?? []), ...names] })}
            />
            {fit === undefined ? null : <Unfit left={fit.left} />}
            <LeftOut names={asked.drop ?? []} onAll={() => ask({ along: shown.along, drop: [] })} />
            <p>
              <b>All {countOf(shown.count, "file")}:</b> {shown.table.alike.join(" · ")}
              {shown.notCompared.length === 0 ? null : `. Too large to be compared: ${listed(shown.notCompared)}.`}
            </p>
            <Facts table={shown.table} />
          </Groups>
        )}
        {begun.running ? (
          <Loading label={`Reading ${countOf(files, "file")}`} progress={begun.progress} onCancel={onBack} />
        ) : null}
      </div>
    </Dialog>
  );
}

interface ButtonsProps extends Pick<TogetherDialogProps, "onBack"> {
  readonly shown: Together | undefined;
  readonly isSettled: boolean;
}

function Buttons({ shown, isSettled, onBack }: ButtonsProps) {
  const { choose } = useActions();
  const explain = useExplain();
  const stops = shown?.findings.filter(stopsCombining) ?? [];
  const isStopped = stops.length > 0;
  const fit = shown?.fit;
  return (
    <>
      {isStopped && explain !== undefined ? (
        <p id="stopped-by" className={styles.why}>
          {blockersText([...new Set(stops.map((one) => explain(one).title))])}
        </p>
      ) : null}
      <Button data-autofocus={isStopped && fit === undefined ? "" : undefined} onClick={onBack}>
        Open one of them
      </Button>
      {fit === undefined ? null : (
        <Button data-kind="primary" data-autofocus disabled={!isSettled} onClick={() => void choose(fit.choice)}>
          Open the {formatCount(fit.count)} that fit
        </Button>
      )}
      <Button
        data-kind={fit === undefined ? "primary" : undefined}
        data-autofocus={isStopped ? undefined : ""}
        disabled={!isSettled || isStopped}
        aria-describedby="stopped-by"
        onClick={() => void choose(shown?.choice ?? "")}
      >
        Open as one dataset
      </Button>
    </>
  );
}

/** "2 blockers: packing and units differ." */
function blockersText(titles: readonly string[]): string {
  const lower = titles.map((title) => title.charAt(0).toLowerCase() + title.slice(1));
  const differing = lower.flatMap((title) => /^(?:attribute )?(.*?) differs?$/.exec(title)?.[1] ?? []);
  const isPlural = differing.length > 1 || differing.some((name) => name.endsWith("s"));
  const words = differing.length === 0 ? [] : [`${listed(differing)} ${isPlural ? "differ" : "differs"}`];
  const others = lower.filter((title) => !/ differs?$/.test(title));
  return `${countOf(titles.length, "blocker")}: ${[...words, ...others].join("; ")}.`;
}

interface GroupsProps extends Pick<Together, "groups"> {
  readonly all: number;
  readonly shown: number | undefined;
  readonly onShow: (group: number | undefined) => void;
  readonly children: ReactNode;
}

const MOST_GROUPS = 12;

/** Kinds of files as tabs, where there are several. */
function Groups({ groups, all, shown, onShow, children }: GroupsProps) {
  const tabs = groups
    .slice(0, MOST_GROUPS)
    .flatMap(({ name, count }, at) => (count < 2 ? [] : [{ id: String(at), label: name, badge: formatCount(count) }]));
  if (tabs.length === 0) return children;
  const [idBase, selected] = ["together", String(shown ?? "all")];
  return (
    <>
      <Tabs
        label="Groups of files"
        idBase={idBase}
        size="small"
        tabs={[{ id: "all", label: "All files", badge: formatCount(all) }, ...tabs]}
        selected={selected}
        onSelect={(id) => onShow(id === "all" ? undefined : Number(id))}
      />
      <TabPanel idBase={idBase} id={selected} className={styles.together}>
        {children}
      </TabPanel>
    </>
  );
}

/** Files that are left out of those that fit, by what keeps them out. */
function Unfit({ left }: Pick<NonNullable<Together["fit"]>, "left">) {
  const explain = useExplain();
  const count = left.reduce((sum, { files }) => sum + files.length, 0);
  return (
    <Section title={`${countOf(count, "file")} ${count === 1 ? "does" : "do"} not fit`}>
      <ul className="grid gap-6 break">
        {left.map(({ barrier, files }) => (
          <li key={files[0]}>
            {explain?.(barrier).title}: <Files files={files} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

const LeftOut = ({ names, onAll }: { readonly names: readonly string[]; readonly onAll: () => void }) =>
  names.length === 0 ? null : (
    <p>
      Left out: {listed(names)}. <LinkButton onClick={onAll}>Combine all variables</LinkButton>
    </p>
  );

const TONES = { yes: "ok", no: "bad", if: "warn" } as const;
const SIGNS = { yes: "✓", no: "✕", if: "◐" } as const;
/** No dimension has such a name. */
const NEW = "\n";

function Verdict({ together, onAlong }: { readonly together: Together; readonly onAlong: (along: string) => void }) {
  const { verdict, how, along = "", dimensions } = together;
  const rename = (name: string) => (name === "" || name === along ? undefined : onAlong(name));
  const offered = dimensions.map((value) => ({ value, text: value === "" ? "none: variables side by side" : value }));
  return (
    <div className={styles.verdict}>
      <p role="status" style={{ color: `var(--${TONES[verdict]})` }}>
        {combinedWords(together, together.count)} {SIGNS[verdict]}
      </p>
      <Choice
        label="Along"
        className={undefined}
        value={how === "stack" ? NEW : along}
        options={[...offered, { value: NEW, text: "a new dimension, by file name" }]}
        onValue={(value) => onAlong(value === NEW ? "file" : value)}
      />
      {how === "stack" ? (
        <TextField
          aria-label="Name of the new dimension"
          title="If the files have a global attribute of this name, it gives the values"
          defaultValue={along}
          onBlur={(event) => rename(event.target.value.trim())}
          onKeyDown={(event) => (event.key === "Enter" ? rename(event.currentTarget.value.trim()) : undefined)}
        />
      ) : null}
    </div>
  );
}

const TITLES = { error: "What prevents it", warning: "Conditions", info: "Notes" } as const;
const MOST_NAMED = 200;

interface FindingsProps extends Pick<Together, "findings"> {
  /** True if files can be combined without a variable. */
  readonly isLeaveable: (variable: string) => boolean;
  readonly onLeave: (variables: readonly string[]) => void;
}

function Findings({ findings, isLeaveable, onLeave }: FindingsProps) {
  const explain = useExplain();
  const [toggled, toggle] = useToggles<Finding>();
  if (explain === undefined) return null;
  return Array.from(groupedBy(findings, barrierSeverity), ([severity, those]) => (
    <Section key={severity} title={TITLES[severity]}>
      <ul className={styles.findings}>
        {those.map((found) => {
          const said = explain(found);
          const onToggle = () => toggle(found);
          // Problems with something to do are open at first.
          const opened = toggled.has(found) === (severity === "info");
          const where = placeText(found.place);
          const { files, variables } = barrierFacts(found);
          const canLeave = stopsCombining(found) && variables.length > 0 && variables.every(isLeaveable);
          return (
            <FindingItem key={said.message} {...{ found, said, where, opened, onToggle }} onGo={onToggle}>
              <div className="grid leading gap-6 break">
                <FindingWords said={said} />
                <Files files={files} />
                {canLeave ? <Button onClick={() => onLeave(variables)}>Leave out {listed(variables)}</Button> : null}
              </div>
            </FindingItem>
          );
        })}
      </ul>
    </Section>
  ));
}

function Files({ files: [first = "", ...rest] }: { readonly files: readonly string[] }) {
  if (rest.length === 0) return <p className="quiet">{first}</p>;
  return (
    <details className="quiet">
      <summary>
        {first} and {countOf(rest.length, "more file")}
      </summary>
      {listed(rest.length > MOST_NAMED ? [...rest.slice(0, MOST_NAMED), "more"] : rest)}
    </details>
  );
}

type Row = FactTable["rows"][number];

const Fact = ({ cell: [text, severity] = ["", undefined] }: { readonly cell: FactCell | undefined }) => (
  <span title={text}>
    {severity === undefined ? null : <SeverityMark severity={severity} />} {text === "" ? "–" : text}
  </span>
);

/** Widths in CSS pixels, of a text in a grid. */
const [OF_CHARACTER, BESIDE, WIDEST, ROWS] = [7.2, 40, 340, 14];

function Facts({ table: { columns, left, rows } }: { readonly table: FactTable }) {
  const cursor = useGridCursor();
  const grid = useGridTable({
    columns: useMemo((): readonly GridColumn<Row>[] => {
      const column = (id: string, header: string, accessorFn: (row: Row) => string) => {
        const longest = rows.reduce((most, row) => Math.max(most, accessorFn(row).length), header.length);
        return { id, header, size: Math.min(WIDEST, BESIDE + OF_CHARACTER * longest), accessorFn };
      };
      const facts = columns.map((header, at): GridColumn<Row> => ({
        ...column(String(at), header, ({ cells }) => cells[at]?.[0] ?? ""),
        cell: ({ row }) => <Fact cell={row.original.cells[at]} />,
        meta: { copied: true },
      }));
      return [
        {
          ...column("name", "File", ({ name }) => name),
          cell: ({ row }) => <CutKey text={row.original.name} />,
          meta: { names: true, copied: true },
        },
        ...facts,
      ];
    }, [columns, rows]),
  });
  return (
    <>
      <DataGrid
        label="Facts of the files"
        grid={grid}
        rows={{ total: rows.length, stale: false, at: (index) => rows[index], want: () => undefined }}
        cursor={cursor}
        onOpen={() => undefined}
        style={{ height: HEAD_HEIGHT + ROW_HEIGHT * Math.min(ROWS, rows.length) + 2 }}
      />
      {left === 0 ? null : <p>{countOf(left, "further fact")} that differ are not shown.</p>}
    </>
  );
}
