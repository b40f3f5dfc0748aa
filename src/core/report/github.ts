/** A report as workflow commands of GitHub Actions: an annotation a finding. */
import { withoutSecrets } from "../words/without-secrets.ts";
import { outgrownWords, type CheckFinding, type ReportedFindings } from "./report.ts";

const COMMANDS = { error: "error", warning: "warning", info: "notice" } as const;

export const githubLines = (name: string, { findings }: ReportedFindings): readonly string[] =>
  findings.map((found) => line(name, found));

function line(name: string, found: CheckFinding): string {
  const { severity, code, cause, message, advice, key, array, line: at } = found;
  const place = key ?? array;
  const title = `${cause}${place === undefined ? "" : ` (${place})`}`;
  const text = [message, outgrownWords(found), advice].filter((part) => part !== undefined).join(" ");
  return `::${COMMANDS[severity]} file=${property(name)}${at === undefined ? "" : `,line=${at}`},title=${property(title)}::${data(`${text} [${code}]`)}`;
}

/** Nothing in it gives access to anything; whatever would end the command or begin another one is escaped. */
const data = (text: string): string =>
  withoutSecrets(text).replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");

const property = (text: string): string => data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
