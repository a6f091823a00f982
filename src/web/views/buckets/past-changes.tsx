import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { ClientUndo } from "../../../client/index.js";
import { client } from "../../api.js";
import { formatCount, formatMoment } from "../../format.js";
import { shownValue, useLoad } from "../../load.js";
import { Failure } from "../../parts/failure.js";
import { Table } from "../../parts/table.js";
import { href } from "../../router.js";
import { zone } from "../../settings.js";
import { t } from "../../texts/care.js";
import { common } from "../../texts/common.js";

export interface PastChangesProps {
  /** Changes after each change of buckets. */
  readonly version: number;
  readonly onChange: () => void;
}

/** Redirects and undoable renames, if there are any. */
export function PastChanges({ version, onChange }: PastChangesProps): JSX.Element {
  const redirects = useLoad(`${version}`, (signal) => client.identity.redirects({ signal }));
  const undoable = useLoad(`${version}`, (signal) => client.identity.undoable({ signal }));
  const [error, setError] = useState<unknown>();
  const listed = shownValue(redirects) ?? [];
  const changes = shownValue(undoable) ?? [];
  async function attempt(work: Promise<unknown>): Promise<void> {
    setError(undefined);
    try {
      await work;
    } catch (thrown) {
      setError(thrown);
    }
    onChange();
  }
  return (
    <>
      {error !== undefined && <Failure title={common("couldNotDo")} error={error} />}
      {listed.length > 0 && (
        <section class="card">
          <h2>{t("redirects")}</h2>
          <p class="quiet">{t("redirectsHint")}</p>
          <Table
            caption={t("redirects")}
            rows={listed}
            keyOf={({ from }) => from}
            columns={[
              { label: t("oldId"), cell: ({ from }) => from },
              { label: common("bucket"), cell: ({ to }) => <a href={href(["buckets", to])}>{to}</a> },
              {
                label: t("until"),
                cell: ({ until }) => (until === null ? t("always") : formatMoment(until, zone.value)),
              },
              {
                label: common("delete"),
                cell: ({ from }) => (
                  <button
                    type="button"
                    class="danger"
                    aria-label={t("removeOf", { id: from })}
                    onClick={() => attempt(client.identity.deleteRedirect(from))}
                  >
                    {common("delete")}
                  </button>
                ),
              },
            ]}
          />
        </section>
      )}
      {changes.length > 0 && (
        <section class="card">
          <h2>{t("changes")}</h2>
          <Table
            caption={t("changes")}
            rows={changes}
            keyOf={({ id }) => id}
            columns={[
              { label: common("when"), cell: ({ time }) => formatMoment(time, zone.value) },
              { label: t("what"), cell: describeChange },
              { label: common("events"), isNumeric: true, cell: ({ events }) => formatCount(events) },
              { label: t("until"), cell: ({ expires }) => formatMoment(expires, zone.value) },
              {
                label: common("undo"),
                cell: (change) => (
                  <button
                    type="button"
                    aria-label={t("undoOf", { what: describeChange(change) })}
                    onClick={() => attempt(client.identity.undo(change.id))}
                  >
                    {common("undo")}
                  </button>
                ),
              },
            ]}
          />
        </section>
      )}
    </>
  );
}

function describeChange({ kind, from, to }: ClientUndo): string {
  const [before, after] = [from.join(", "), to.join(", ")];
  return t(`did_${kind}`, { what: before === after ? before : t("pair", { from: before, into: after }) });
}
