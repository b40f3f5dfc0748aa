import { useId, useState } from "react";
import { storesMatching, verifiedWords, type Gallery as Stores, type PublicStore } from "#core/gallery/gallery.ts";
import data from "#core/gallery/stores.json" with { type: "json" };
import { useActions } from "#store/react.tsx";
import { SearchField } from "#widgets/controls/SearchField.tsx";
import { QuietButton } from "#widgets/controls/Button.tsx";
import styles from "./Gallery.module.css";

const STORES: Stores = data;
const ALL = STORES.groups.flatMap(({ stores }) => stores);
/** Note that holds for all stores. */
const UNVERIFIED = ALL.every(({ lastRead }) => lastRead === null) ? " Links not yet tested." : "";
const COUNT = ALL.length;

/** Public stores by name. Nothing is fetched until one is chosen. */
export function Gallery() {
  const [search, setSearch] = useState("");
  const groups = storesMatching(STORES, search);
  const found = groups.reduce((sum, { stores }) => sum + stores.length, 0);
  return (
    <section className="stack gap-8" aria-label="Public stores">
      <div className={`flex baseline gap-8 ${styles.head}`}>
        <h2 className="heading">Public stores</h2>
        <span className="faint fine" role="status">
          {search === "" ? `Nothing loads until you open one.${UNVERIFIED}` : `${found} of ${COUNT}`}
        </span>
        <SearchField label="Find a store" value={search} onChange={setSearch} className={styles.search} />
      </div>
      {groups.map(({ name, stores }) => (
        <Group key={name} name={name} stores={stores} />
      ))}
      {found === 0 ? <p className="quiet">No store matches.</p> : null}
    </section>
  );
}

function Group({ name, stores }: { readonly name: string; readonly stores: readonly PublicStore[] }) {
  const id = useId();
  return (
    <div className="stack gap-4">
      <h3 id={id} className="quiet fine strong">
        {name}
      </h3>
      <ul className={styles.list} aria-labelledby={id}>
        {stores.map((store) => (
          <StoreLine key={store.id} store={store} />
        ))}
      </ul>
    </div>
  );
}

function StoreLine({ store }: { readonly store: PublicStore }) {
  const actions = useActions();
  const id = useId();
  const { name, address, shows, size, format, publisher, licence } = store;
  const about = [
    publisher,
    ...(licence === null ? [] : [licence]),
    ...(UNVERIFIED === "" ? [verifiedWords(store)] : []),
  ];
  return (
    <li className={styles.store} title={[shows, size, address].filter(Boolean).join("\n")}>
      <QuietButton
        className={styles.open}
        aria-describedby={id}
        onClick={() => void actions.open({ kind: "url", url: address })}
      >
        {name}
      </QuietButton>
      <span className={styles.format}>{format}</span>
      <p id={id} className={styles.about}>
        {about.join(" · ")}
      </p>
    </li>
  );
}
