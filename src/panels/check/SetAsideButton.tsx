/** Sets a cause aside: it is known, and why. */
import { useState } from "react";
import { acceptanceFor, type Acceptance } from "#core/check/acceptance.ts";
import { useActions } from "#store/react.tsx";
import { Popover } from "#widgets/controls/Popover.tsx";
import type { NodesByPath } from "#core/metadata/chunk-of-key.ts";
import type { ListedFinding } from "./findings.ts";
import { inReport } from "./set-aside.ts";
import styles from "./SetAsideButton.module.css";

interface SetAsideButtonProps {
  readonly listed: ListedFinding;
  readonly nodes: NodesByPath;
  /** It was set aside, and reaches further by now. */
  readonly outgrown: Acceptance | undefined;
}

export function SetAsideButton(props: SetAsideButtonProps) {
  return (
    <Popover label="Accept…" title={`Accept: ${props.listed.said.title}`} align="end" arrow={false}>
      <SetAsideForm {...props} />
    </Popover>
  );
}

function SetAsideForm({ listed, nodes, outgrown }: SetAsideButtonProps) {
  const actions = useActions();
  const [reason, setReason] = useState(outgrown?.reason ?? "");
  const date = today();
  const isReady = reason.trim() !== "";
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isReady) return;
        const acceptances = (listed.alike ?? [listed]).map((one) =>
          acceptanceFor(inReport(one, nodes), date, reason.trim()),
        );
        const [first, ...others] = acceptances;
        if (first !== undefined) actions.setAside(first, outgrown);
        if (others.length > 0) actions.acceptAll(others);
      }}
    >
      <p>Check stops counting this problem. If it spreads, it comes back.</p>
      <label className="grid gap-2">
        Reason
        <input value={reason} maxLength={MAX_REASON} onChange={(event) => setReason(event.currentTarget.value)} />
      </label>
      <div className="row spread gap-8 quiet fine">
        <span>Dated {date}</span>
        <button type="submit" data-kind="primary" disabled={!isReady}>
          Accept
        </button>
      </div>
    </form>
  );
}

const MAX_REASON = 1000;

/** Today in the user's time zone. */
function today(): string {
  const now = new Date();
  const two = (value: number) => String(value).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}
