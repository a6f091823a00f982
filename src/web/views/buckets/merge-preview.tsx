import type { ComponentChildren, JSX } from "preact";
import type { ClientMerging } from "../../../client/index.js";
import { formatCount } from "../../format.js";
import { useLoad } from "../../load.js";
import { Failure } from "../../parts/failure.js";
import { Table } from "../../parts/table.js";
import { t } from "../../texts/care.js";
import { common } from "../../texts/common.js";

export interface MergePreviewProps {
  /** Identifies everything that the preview depends on. */
  readonly what: string;
  readonly ask: (signal: AbortSignal) => Promise<readonly ClientMerging[]>;
  /** Other changes. */
  readonly children?: ComponentChildren;
}

const LOSSES = ["equal", "cut", "covered"] as const;

/** Preview of a merge. */
export function MergePreview({ what, ask, children }: MergePreviewProps): JSX.Element {
  const loaded = useLoad(what, ask);
  if (loaded.state === "failed") return <Failure title={common("couldNotDo")} error={loaded.error} />;
  // Hides the previous preview, which would be misleading.
  const mergings = loaded.state === "ready" ? loaded.value : undefined;
  const merged = mergings?.flatMap(({ buckets }) => buckets) ?? [];
  const losses = LOSSES.filter((name) => merged.some((counts) => counts[name] > 0));
  return (
    <section class="bucket-preview" aria-busy={loaded.state === "loading"}>
      <h3>{t("willChange")}</h3>
      {mergings === undefined ? (
        <progress aria-label={t("willChange")} />
      ) : (
        <>
          {mergings.map((merging) => (
            <p key={merging.into}>{t("mergedEvents", { into: merging.into, count: countEvents(merging) })}</p>
          ))}
          <Table
            caption={t("willChange")}
            rows={merged}
            columns={[
              { label: common("bucket"), cell: ({ bucket_id: id }) => id },
              ...(["events", ...losses] as const).map((name) => ({
                label: t(name),
                isNumeric: true,
                cell: (counts: Counts) => formatCount(counts[name]),
              })),
            ]}
          />
          {losses.length > 0 && <p class="hint">{t("mergedCounts")}</p>}
          {children}
        </>
      )}
    </section>
  );
}

type Counts = ClientMerging["buckets"][number];

function countEvents({ buckets }: ClientMerging): number {
  return buckets.reduce((sum, { events, equal, covered }) => sum + events - equal - covered, 0);
}
