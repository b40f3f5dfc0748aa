/** The report, to take along: for an issue, for another tool. */
import { markdownReport } from "../../core/report/markdown.ts";
import { reportOf } from "../../core/report/report.ts";
import { sarifReport } from "../../core/report/sarif.ts";
import { VERSION } from "../../core/version.ts";
import type { SetSummary } from "../../core/open-set.ts";
import { CopyButton } from "../../widgets/CopyButton.tsx";
import { download } from "../../widgets/download.ts";
import { Popover } from "../../widgets/Popover.tsx";
import type { NodesByPath } from "./chunk-of-key.ts";
import type { ListedFinding } from "./findings.ts";
import { saidOf, type KnownVerdict } from "./use-verdict.ts";
import styles from "./ReproButtons.module.css";

interface ReportMenuProps {
  readonly set: SetSummary;
  readonly known: KnownVerdict;
  readonly findings: readonly ListedFinding[];
  readonly nodes: NodesByPath;
}

export function ReportMenu({ set, known, findings, nodes }: ReportMenuProps) {
  const { verdict, checked, headline, known: accepted } = known;
  const report = () => reportOf({ verdict, checked, accepted }, saidOf(findings), (array) => nodes.get(array)?.keys);
  const name = set.url ?? set.name;
  const save = (text: string, ending: string) =>
    download(new Blob([text], { type: "application/json" }), `${set.name.replaceAll(/[^\w.-]+/g, "_")}.${ending}`);
  return (
    <Popover label="Report" title="Report" align="end">
      <div className={styles.choices}>
        <CopyButton what="as Markdown" label text={() => markdownReport(name, headline, report())} />
        <button type="button" onClick={() => save(textOf(report()), "check.json")}>
          Save as JSON
        </button>
        <button type="button" onClick={() => save(textOf(sarifReport([{ name, report: report() }], VERSION)), "sarif")}>
          Save as SARIF
        </button>
      </div>
    </Popover>
  );
}

const textOf = (value: object): string =>
  `${JSON.stringify(value, (_, one: unknown) => (typeof one === "bigint" ? String(one) : one), 1)}\n`;
