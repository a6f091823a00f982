import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { ImportableDatabase, ImportProgress } from "../../../domain/machine.js";
import { reloadBuckets } from "../../buckets.js";
import { withFlags } from "../../flags.js";
import { formatBytes, formatMoment } from "../../format.js";
import { importDatabase } from "../../machine.js";
import { Failure } from "../../parts/failure.js";
import { zone } from "../../settings.js";
import { t } from "../../texts/welcome.js";

/** ActivityWatch writes at least once a minute while the user is active. */
const IN_USE_MILLIS = 60_000;

/** Offers to import the databases of ActivityWatch on the server's machine. */
export function ImportCard({ databases }: { readonly databases: readonly ImportableDatabase[] }): JSX.Element {
  const isBusy = databases.some((database) => database.import?.state === "running");
  return (
    <section class="card">
      <h2>{t("import")}</h2>
      <p>{t("importWhat")}</p>
      {databases.map((database) => (
        <Database key={database.file} {...{ database, isBusy }} />
      ))}
      <p class="hint">{t("importAgainHint")}</p>
    </section>
  );
}

function Database({
  database,
  isBusy,
}: {
  readonly database: ImportableDatabase;
  readonly isBusy: boolean;
}): JSX.Element {
  const { file, bytes, written, import: state } = database;
  const [failure, setFailure] = useState<{ readonly error: unknown }>();
  const facts = { size: formatBytes(bytes), when: formatMoment(written, zone.value) };
  const isInUse = Date.now() - Date.parse(written) < IN_USE_MILLIS;
  useEffect(() => {
    if (state?.state === "done") void reloadBuckets();
  }, [state?.state]);

  function start(): void {
    setFailure(undefined);
    importDatabase(file).catch((error: unknown) => setFailure({ error }));
  }

  return (
    <div class="welcome-database">
      <p>
        <code>
          <bdi>{file}</bdi>
        </code>
        <br />
        <span class="quiet">{t("importFacts", facts)}</span>
      </p>
      {isInUse && state === null && <p class="warn">{t("importInUse")}</p>}
      {failure !== undefined && <Failure {...failure} title={t("importFailed")} retry={start} />}
      <div class="row">
        <button type="button" class={state === null ? "primary" : undefined} disabled={isBusy} onClick={start}>
          {t(state === null ? "importNow" : "importAgain")}
        </button>
        {state?.state === "running" && (
          <progress value={state.total === 0 ? undefined : state.done / state.total} aria-label={t("importProgress")} />
        )}
        <span role="status">{state !== null && <Outcome state={state} />}</span>
      </div>
    </div>
  );
}

function Outcome({ state }: { readonly state: ImportProgress }): JSX.Element {
  switch (state.state) {
    case "running":
      if (state.total === 0) return <>{t("importReading")}</>;
      return <>{t("importRunning", { done: state.done, total: state.total })}</>;
    case "failed":
      return (
        <span class="bad">
          {t("importFailed")} <bdi>{state.message}</bdi>
        </span>
      );
    case "done": {
      const command = <code>{withFlags("activity-server import --dry-run")}</code>;
      return (
        <>
          <span class="good">{t("importDone", { imported: state.imported, known: state.known })}</span>
          {state.lost > 0 && <span class="warn"> {t.rich("importLost", { command })}</span>}
        </>
      );
    }
  }
}
