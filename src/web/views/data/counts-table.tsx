import type { JSX } from "preact";
import { formatCount } from "../../format.js";
import { Table } from "../../parts/table.js";
import { href } from "../../router.js";
import { common } from "../../texts/common.js";

export interface CountsTableProps<Name extends string> {
  readonly caption: string;
  readonly counts: readonly ({ readonly bucket_id: string } & { readonly [Count in Name]: number })[];
  /** Labels of the counts, in column order. */
  readonly labels: readonly (readonly [name: Name, label: string])[];
}

/** Effect of rules on each bucket. */
export function CountsTable<Name extends string>({ caption, counts, labels }: CountsTableProps<Name>): JSX.Element {
  type Row = (typeof counts)[number];
  return (
    <Table
      caption={caption}
      rows={counts}
      keyOf={({ bucket_id: id }) => id}
      columns={[
        {
          label: common("bucket"),
          cell: ({ bucket_id: id }) => <a href={href(["buckets", id])}>{id}</a>,
        },
        ...labels.map(([name, label]) => ({ label, isNumeric: true, cell: (row: Row) => formatCount(row[name]) })),
      ]}
    />
  );
}
