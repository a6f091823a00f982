import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { ClientUndo } from "../../../client/care-types.js";
import { client } from "../../api.js";
import { refreshBuckets } from "../../buckets.js";
import { formatCount, formatMoment } from "../../format.js";
import { shownOf, useLoad } from "../../load.js";
import { Failure } from "../../parts/failure.js";
import { Table } from "../../parts/table.js";
import { href } from "../../router.js";
import { zone } from "../../settings.js";

const texts = {
  redirects: "Redirects",
  redirectsHint: "Reports to the old id go to the bucket that is meant.",
  from: "Old id",
  to: "Bucket",
  until: "Until",
  always: "Always",
  remove: "Delete",
  removeOf: (id: string) => `Delete the redirect of ${id}`,
  undo: "Undo",
  undoOf: (what: string) => `Undo: ${what}`,
  changes: "Changes that can be undone",
  when: "When",
  what: "What",
  events: "Events",
  expires: "Until",
  kinds: { rename: "Renamed", host: "Host changed", merge: "Merged", privacy: "Privacy rules over the past" },
  failed: "It was not done.",
};

export interface PastChangesProps {
  /** Other values when something has changed. */
  readonly version: number;
  readonly onChange: () => void;
}

/** Redirects, and changes of names that can be undone, where there are some. */
export function PastChanges({ version, onChange }: PastChangesProps): JSX.Element {
  const redirects = useLoad(`${version}`, (signal) => client.identity.redirects({ signal }));
  const undoable = useLoad(`${version}`, (signal) => client.identity.undoable({ signal }));
  const [error, setError] = useState<unknown>();
  const listed = shownOf(redirects) ?? [];
  const changes = shownOf(undoable) ?? [];
  async function attempt(work: Promise<unknown>): Promise<void> {
    setError(undefined);
    try {
      await work;
    } catch (thrown) {
      setError(thrown);
    }
    void refreshBuckets();
    onChange();
  }
  return (
    <>
      {error !== undefined && <Failure title={texts.failed} error={error} />}
      {listed.length > 0 && (
        <section class="card" aria-label={texts.redirects}>
          <h2>{texts.redirects}</h2>
          <p class="quiet">{texts.redirectsHint}</p>
          <Table
            caption={texts.redirects}
            rows={listed}
            keyOf={({ from }) => from}
            columns={[
              { label: texts.from, cell: ({ from }) => from },
              { label: texts.to, cell: ({ to }) => <a href={href(["buckets", to])}>{to}</a> },
              {
                label: texts.until,
                cell: ({ until }) => (until === null ? texts.always : formatMoment(until, zone.value)),
              },
              {
                label: texts.remove,
                cell: ({ from }) => (
                  <button
                    type="button"
                    aria-label={texts.removeOf(from)}
                    onClick={() => attempt(client.identity.deleteRedirect(from))}
                  >
                    {texts.remove}
                  </button>
                ),
              },
            ]}
          />
        </section>
      )}
      {changes.length > 0 && (
        <section class="card" aria-label={texts.changes}>
          <h2>{texts.changes}</h2>
          <Table
            caption={texts.changes}
            rows={changes}
            keyOf={({ id }) => id}
            columns={[
              { label: texts.when, cell: ({ time }) => formatMoment(time, zone.value) },
              { label: texts.what, cell: whatOf },
              { label: texts.events, isNumeric: true, cell: ({ events }) => formatCount(events) },
              { label: texts.expires, cell: ({ expires }) => formatMoment(expires, zone.value) },
              {
                label: texts.undo,
                cell: (change) => (
                  <button
                    type="button"
                    aria-label={texts.undoOf(whatOf(change))}
                    onClick={() => attempt(client.identity.undo(change.id))}
                  >
                    {texts.undo}
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

function whatOf({ kind, from, to }: ClientUndo): string {
  const names = from.join(", ");
  return `${texts.kinds[kind]}: ${names === to.join(", ") ? names : `${names} → ${to.join(", ")}`}`;
}
