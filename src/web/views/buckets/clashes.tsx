import type { JSX } from "preact";
import { buckets } from "../../buckets.js";
import { shownOf } from "../../load.js";
import { t } from "../../texts/care.js";
import type { Pair } from "./merge-dialog.js";

export interface ClashesProps {
  /** A host that is about to be renamed, with the ids of its buckets. */
  readonly from: string;
  readonly to: string;
  readonly onMerge: (pairs: readonly Pair[]) => void;
}

/** Offers to merge the buckets whose new ids are taken, where there are some. */
export function Clashes({ from: host, to, onMerge }: ClashesProps): JSX.Element | null {
  const all = shownOf(buckets.value) ?? [];
  const ids = new Set(all.map(({ id }) => id));
  const end = `_${host}`;
  const pairs = all.flatMap(({ id: from, hostname }) => {
    const into = `${from.slice(0, -end.length)}_${to}`;
    return hostname === host && from.endsWith(end) && ids.has(into) ? [{ from, into }] : [];
  });
  if (pairs.length === 0) return null;
  return (
    <section class="bucket-preview">
      <p>{t("clashes", { host: to })}</p>
      <ul>
        {pairs.map((pair) => (
          <li key={pair.from}>{t("pair", pair)}</li>
        ))}
      </ul>
      <p>
        <button type="button" onClick={() => onMerge(pairs)}>
          {t("mergeAction")}
        </button>
      </p>
    </section>
  );
}
