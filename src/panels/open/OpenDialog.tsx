import { Dialog } from "../../widgets/Dialog.tsx";
import { TabPanel, Tabs } from "../../widgets/Tabs.tsx";
import { LocationsForm } from "./LocationsForm.tsx";
import { OpenForm } from "./OpenForm.tsx";
import type { ReactNode } from "react";
import styles from "./OpenDialog.module.css";

export type OpenPage = "open" | "locations";

export interface OpenDialogProps {
  readonly page: OpenPage;
  /** Prefix of targets that the Locations page begins with rows for. */
  readonly prefix: string | undefined;
  readonly onPage: (page: OpenPage) => void;
  readonly onClose: () => void;
  /** The samples, below the form. */
  readonly children?: ReactNode;
}

const PAGES = [
  { id: "open", label: "Open" },
  { id: "locations", label: "Locations" },
] as const;

/** Opening another set while one is open, and saying where targets are. */
export function OpenDialog({ page, prefix, onPage, onClose, children }: OpenDialogProps) {
  return (
    <Dialog
      title={page === "open" ? "Open a reference set" : "Where targets are read from"}
      onClose={onClose}
      size="wide"
    >
      <div className={styles.tabs}>
        <Tabs label="Open and locations" tabs={PAGES} selected={page} onSelect={onPage} idBase="open" size="small" />
      </div>
      <TabPanel idBase="open" id={page}>
        {page === "open" ? (
          <div className={styles.open}>
            <OpenForm onOpening={onClose} />
            {children}
          </div>
        ) : (
          <LocationsForm prefix={prefix} onDone={onClose} />
        )}
      </TabPanel>
    </Dialog>
  );
}
