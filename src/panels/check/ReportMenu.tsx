/** The report, to take along: for an issue, for another tool. */
import { isRefused, remediesFor } from "../../core/access/finding-remedies.ts";
import { markdownReport } from "../../core/report/markdown.ts";
import { sarifReport } from "../../core/report/sarif.ts";
import { VERSION } from "../../core/version.ts";
import type { SetSummary } from "../../core/open-set.ts";
import { useEngine } from "../../store/react.tsx";
import { CopyButton } from "../../widgets/CopyButton.tsx";
import { download } from "../../widgets/download.ts";
import { Popover } from "../../widgets/Popover.tsx";
import { setReport, type ReportedFindings } from "./set-report.ts";
import styles from "./ReproButtons.module.css";

interface ReportMenuProps extends ReportedFindings {
  readonly set: SetSummary;
}

export function ReportMenu({ set, ...reported }: ReportMenuProps) {
  const { headline } = reported.known;
  const isRefusing = reported.findings.some(({ finding }) => isRefused(finding));
  const access = useEngine("sources.access", isRefusing ? { set: set.id } : undefined).data;
  const report = () => setReport({ ...reported, remediesOf: (found) => remediesFor(found, location.origin, access) });
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
