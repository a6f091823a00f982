import type { JSX } from "preact";
import type { ClientBucketRetention } from "../../../client/care-types.js";
import { formatCount } from "../../format.js";
import { Table } from "../../parts/table.js";
import { href } from "../../router.js";
import { t } from "../../texts/retention.js";

const COUNTS = ["expired", "short", "summarized", "summaries"] as const;

export interface CountsTableProps {
  readonly caption: string;
  readonly counts: readonly ClientBucketRetention[];
}

/** What rules do, or did, to each bucket. */
export function CountsTable({ caption, counts }: CountsTableProps): JSX.Element {
  return (
    <Table
      caption={caption}
      rows={counts}
      keyOf={({ bucket_id: id }) => id}
      columns={[
        {
          label: t("bucket"),
          cell: ({ bucket_id: id }) => <a href={href(["buckets", id])}>{id}</a>,
        },
        ...COUNTS.map((name) => ({
          label: t(name),
          isNumeric: true,
          cell: (row: ClientBucketRetention) => formatCount(row[name]),
        })),
      ]}
    />
  );
}
