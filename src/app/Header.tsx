import { type ReactNode, useEffect, useState } from "react";
import { UnreadableBanner } from "../panels/targets/UnreadableBanner.tsx";
import { withoutSecrets, withoutToken } from "../core/words/without-secrets.ts";
import { useActions, useApp, useAppState, useSend } from "../store/react.tsx";
import type { SetSummary } from "../core/open-set.ts";
import { isEdited } from "../store/state.ts";
import type { KeptEdit } from "../store/kept-edits.ts";
import type { ViewName } from "../store/views.ts";
import { Badge } from "../widgets/notes/marks.tsx";
import { Popover } from "../widgets/controls/Popover.tsx";
import { Logo, Sign } from "../widgets/Icon.tsx";
import { countOf, formatBytes, formatExactBytes } from "../widgets/number-format.ts";
import { IS_MAC, keyText } from "./keys.ts";
import { HelpButton, ThemeButton } from "./ThemeButton.tsx";
import type { Ui } from "./ui-state.ts";
import { SMALL, useMediaQuery } from "../widgets/hooks.ts";
import styles from "./Header.module.css";
import { Button, CopyButton } from "../widgets/controls/Button.tsx";

interface SetHeadProps extends HeaderProps {
  /** Which opening it is. */
  readonly opened: number;
  /** Words for the failure. */
  readonly children: ReactNode;
}

/** Above the views of a set. */
export function SetHead({ set, ui, opened, children }: SetHeadProps) {
  return (
    <>
      <Header set={set} ui={ui} />
      <div className={styles.notice}>{children}</div>
      <UnreadableBanner key={opened} set={set.id} />
    </>
  );
}

interface HeaderProps {
  readonly set: SetSummary;
  readonly ui: Ui;
}

/** Header of the open dataset, with the actions on it as a whole. */
function Header({ set, ui }: HeaderProps) {
  const small = useMediaQuery(SMALL);
  // Within another page: only the way to the tree, where that is a sheet.
  if (document.documentElement.dataset.embed !== undefined)
    return small ? (
      <header className={styles.header}>
        <TreeButton ui={ui} />
        <SetStrip set={set} />
      </header>
    ) : null;
  return (
    <header className={styles.header}>
      <TreeButton ui={ui} />
      <h1 className={styles.logo}>
        <Logo />
        Refscope
      </h1>
      <SetStrip set={set} />
      <Button className={styles.goTo} data-always="true" onClick={() => ui.show("commands")}>
        <span className={styles.where}>Go to array, chunk, place or command</span>
        <kbd className={styles.key}>{keyText("Mod+k", IS_MAC)}</kbd>
        <span className={styles.more} aria-hidden="true">
          ⋯
        </span>
      </Button>
      <Button data-always="true" onClick={() => ui.show("open")}>
        <Sign path="M2 12.5v-9h4l1.5 2H14v7z" />
        Open…
      </Button>
      <EditButton set={set} />
      <Button onClick={() => ui.show("export")}>
        <Sign path="M8 10V2.5M5 5l3-3 3 3M3 9.5v4h10v-4" />
        Export…
      </Button>
      <div className={styles.share}>
        <ShareButton set={set} />
      </div>
      <ThemeButton />
      <HelpButton ui={ui} />
    </header>
  );
}

/** On small screens, where the tree is a sheet. */
function TreeButton({ ui }: { readonly ui: Ui }) {
  const small = useMediaQuery(SMALL);
  const hasTree = useAppState((state) => state.view !== "edit");
  if (!small || !hasTree) return null;
  return (
    <Button
      data-always="true"
      className={styles.tree}
      aria-label="Arrays"
      title="Arrays"
      aria-haspopup="dialog"
      onClick={() => ui.showTree("tree")}
    >
      <Sign path="M2.5 4h11M2.5 8h11M2.5 12h11" />
    </Button>
  );
}

function SetStrip({ set }: { readonly set: SetSummary }) {
  const targets = set.targets === 0 || set.isFile === true ? "" : ` in ${countOf(set.targets, "source")}`;
  const bytes = `${formatBytes(set.bytesReferenced)}${targets}`;
  const known = set.pages === undefined || set.pages.loaded === set.pages.count;
  const keys = countOf(set.words.countsMetadata ? set.references : set.chunkReferences, set.words.unit);
  const counts = [countOf(set.arrays, "array"), known ? keys : `${keys} so far`, bytes];
  return (
    <div className={styles.strip}>
      <Badge tone="accent">{set.format}</Badge>
      <b className="cut strong" title={withoutSecrets(set.url ?? set.name)}>
        {set.name}
      </b>
      {set.url === undefined ? null : <CopyButton text={set.url} what="URL of the dataset" />}
      <EditedBadge />
      <KeptBadge set={set} />
      <span className={styles.counts} title={`${counts.join(" · ")} (${formatExactBytes(set.bytesReferenced)})`}>
        {counts.join(" · ")}
      </span>
    </div>
  );
}

const NOT_A_DOCUMENT = "Only Kerchunk JSON documents can be";

/** Between the studio and where one was before. */
function EditButton({ set }: { readonly set: SetSummary }) {
  const actions = useActions();
  const view = useAppState((state) => state.view);
  const [before, setBefore] = useState<ViewName>("overview");
  const editing = view === "edit";
  return (
    <Button
      className={styles.edit}
      disabled={!set.isDocument}
      title={
        !set.isDocument
          ? `${NOT_A_DOCUMENT} edited`
          : editing
            ? "Back to the views of the edited dataset"
            : "Edit the document, with its Version 0 result beside it"
      }
      onClick={() => {
        if (!editing) setBefore(view);
        actions.showView(editing ? before : "edit");
      }}
    >
      <Sign path="m3 13 .6-2.8L10.8 3l2.2 2.2-7.2 7.2z" />
      {editing ? "Inspect" : "Edit"}
    </Button>
  );
}

/** Says that what is shown is not the document as opened. */
function EditedBadge() {
  const edited = useAppState((state) => state.edit !== undefined && isEdited(state.edit));
  if (!edited) return null;
  return (
    <Badge tone="warn" title="Showing the edited document, not the one that was opened">
      edited
    </Badge>
  );
}

/** Says that there are edits which are not applied to what is shown: the page was reloaded, for instance. */
function KeptBadge({ set }: { readonly set: SetSummary }) {
  const { keeper } = useApp();
  const editing = useAppState((state) => state.edit !== undefined);
  const [kept, setKept] = useState<readonly KeptEdit[]>([]);
  const { url, choice } = set;
  useEffect(() => {
    // A browser that keeps nothing has nothing to list.
    if (!editing) keeper.list().then(setKept, () => undefined);
  }, [keeper, editing]);
  const isKept = kept.some((edit) => edit.url === url && edit.choice === choice);
  if (editing || url === undefined || !isKept) return null;
  return (
    <Badge tone="warn" title="This browser has edits of this document that are not shown. Choose Edit to restore them.">
      edits kept
    </Badge>
  );
}

const NO_LINK = "Opened from local files or pasted text, so it has no link.";

/** A link, a picture of the slice, and the badge of docs/embedding.md. */
function ShareButton({ set }: { readonly set: SetSummary }) {
  const { showView } = useActions();
  const send = useSend();
  const isArray = useAppState(({ node }) => set.nodes.some(({ path, kind }) => path === node && kind === "array"));
  const page = () => new URL(".", location.href.replace(/[?#].*$/s, "")).href;
  const badge = () =>
    `[![Open in Refscope](${page()}badge.svg)](${page()}?url=${encodeURIComponent(withoutToken(set.url ?? ""))})`;
  const picture = () => {
    showView("data");
    send({ kind: "save-slice" });
  };
  return (
    <Popover
      title="Share"
      align="end"
      arrow={false}
      label={
        <>
          <Sign path="M6.8 9.2l2.4-2.4M7 4.6l1.4-1.4a2.9 2.9 0 0 1 4.2 4.2L11.2 9M9 11.4l-1.4 1.4a2.9 2.9 0 0 1-4.2-4.2L4.8 7" />{" "}
          Share
        </>
      }
    >
      <div className="grid gap-8">
        {set.url === undefined ? (
          <p className="quiet">{NO_LINK}</p>
        ) : (
          <>
            <CopyButton text={() => withoutToken(location.href)} what="link to this view" label />
            <CopyButton text={badge} what="badge (Markdown)" label />
          </>
        )}
        {isArray ? <Button onClick={picture}>Save a picture…</Button> : null}
      </div>
    </Popover>
  );
}
