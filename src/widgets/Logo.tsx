import styles from "./Logo.module.css";

/** The logo: a chunk grid whose cells each come from elsewhere. */
export function Logo({ size = 16 }: { readonly size?: number }) {
  return (
    <svg className="rigid" width={size} height={size} viewBox="0 0 16 16" aria-hidden="true">
      <rect className={styles.range} x="0.5" y="0.5" width="7" height="7" rx="1.6" />
      <rect className={styles.inline} x="8.5" y="0.5" width="7" height="7" rx="1.6" />
      <rect className={styles.whole} x="0.5" y="8.5" width="7" height="7" rx="1.6" />
      <rect className={styles.missing} x="9.25" y="9.25" width="5.5" height="5.5" rx="1.2" />
    </svg>
  );
}
