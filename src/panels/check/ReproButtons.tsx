import { copyText } from "../../widgets/copy-text.ts";
import { download } from "../../widgets/download.ts";
import { ErrorNotice } from "../../widgets/ErrorNotice.tsx";
import { Popover } from "../../widgets/Popover.tsx";
import { useExplain } from "../../widgets/use-explain.ts";
import { useCapsule } from "../../store/use-capsule.ts";
import { useState } from "react";
import { useDelayed } from "../../widgets/use-delayed.ts";
import styles from "./ReproButtons.module.css";

interface ReproButtonsProps {
  readonly array: string;
  readonly coordinates: readonly number[];
}

/** Takes a chunk out of its set, with what shows its fault: for an issue, or for somebody else to try. */
export function ReproButtons({ array, coordinates }: ReproButtonsProps) {
  const capsule = useCapsule();
  const explain = useExplain();
  const [copied, setCopied] = useState<"yes" | "no">();
  useDelayed(copied, copied === undefined ? undefined : 1600, () => setCopied(undefined));
  if (explain === undefined) return null;
  const chunk = { array, coordinates };
  const save = async (inlines: boolean) => {
    const made = await capsule.archive(chunk, inlines, explain);
    if (made !== undefined) download(new Blob([made.bytes], { type: "application/zip" }), made.name);
  };
  const copy = async () => {
    const text = await capsule.issue(chunk, explain);
    if (text !== undefined) setCopied((await copyText(text)) ? "yes" : "no");
  };
  return (
    <>
      <Popover label="Report…" title={`Report chunk ${coordinates.join(".")} of ${array === "" ? "/" : array}`}>
        <div className={styles.choices}>
          <p>
            The array’s metadata, this chunk’s reference, a Python script that reads it, and what was asked and
            answered.
          </p>
          <button type="button" onClick={() => void save(false)}>
            Archive (zip)
          </button>
          <button type="button" onClick={() => void save(true)}>
            Archive with the chunk’s bytes
          </button>
          <button type="button" onClick={() => void copy()}>
            {copied === undefined
              ? "Copy as an issue (Markdown)"
              : copied === "yes"
                ? "Copied"
                : "Copying was not allowed"}
          </button>
        </div>
      </Popover>
      {capsule.error === undefined ? null : <ErrorNotice error={capsule.error} />}
    </>
  );
}
