import type { JSX, TargetedDragEvent } from "preact";
import { useState } from "preact/hooks";
import type { ImportCounts } from "../../../client/index.js";
import { describeFailure } from "../../api.js";
import { withFlags } from "../../flags.js";
import { formatBytes, formatCount } from "../../format.js";
import { Fact } from "../../parts/fact.js";
import { t } from "../../texts/buckets.js";
import { common } from "../../texts/common.js";
import { countLines } from "./import-counts.js";
import { clearImports, type ImportJob, importFiles, importJobs, retryImport, stopImport } from "./transfer.js";

/** Imports selected or dropped files, and shows the results. */
export function ImportPanel(): JSX.Element {
  const [isOver, setIsOver] = useState(false);
  const jobs = importJobs.value;
  const isFinished = jobs.length > 0 && jobs.every(({ state }) => state.kind !== "waiting" && state.kind !== "running");

  function choose({ currentTarget }: { readonly currentTarget: HTMLInputElement }): void {
    importFiles(currentTarget.files ?? []);
    // Allows selecting the same file again.
    currentTarget.value = "";
  }
  function drop(event: TargetedDragEvent<HTMLElement>): void {
    event.preventDefault();
    setIsOver(false);
    importFiles(event.dataTransfer?.files ?? []);
  }
  function hover(event: TargetedDragEvent<HTMLElement>): void {
    event.preventDefault();
    setIsOver(true);
  }

  return (
    <section
      class={`import card ${isOver ? "import-over" : ""}`}
      aria-label={t("import")}
      onDragOver={hover}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <h2>{t("import")}</h2>
      <p class="hint">{t.rich("importHint", { command: <code>{withFlags("activity-server import")}</code> })}</p>
      <label class="import-choose">
        <span class="field-label">{t("files")}</span>
        <input type="file" accept=".json,.csv,.gz,application/json,text/csv" multiple onChange={choose} />
      </label>
      <ul class="import-jobs" aria-live="polite">
        {jobs.map((job) => (
          <li key={job.number}>
            <ImportReport job={job} />
          </li>
        ))}
      </ul>
      {isFinished && (
        <button type="button" onClick={clearImports}>
          {t("clearReports")}
        </button>
      )}
    </section>
  );
}

function ImportReport({ job: { number, file, state } }: { readonly job: ImportJob }): JSX.Element {
  const name = (
    <strong class="import-name" dir="auto">
      {file.name}
    </strong>
  );
  const about = { file: name };
  const again = (
    <button type="button" onClick={() => retryImport(number)}>
      {common("tryAgain")}
    </button>
  );
  const stop = (
    <button type="button" onClick={() => stopImport(number)}>
      {t("stop")}
    </button>
  );
  switch (state.kind) {
    case "waiting":
      return (
        <p>
          {t.rich("waits", about)} {stop}
        </p>
      );
    case "stopped":
      return (
        <p>
          {t.rich("stopped", about)} {again}
        </p>
      );
    case "failed":
      return (
        <div class="failure" role="alert">
          <p>{t.rich("notImported", { ...about, reason: describeFailure(state.error) })}</p>
          {again}
        </div>
      );
    case "done":
      return (
        <div class="import-done">
          <p>{t.rich("imported", about)}</p>
          <Counts counts={state.counts} />
        </div>
      );
    default:
      return (
        <p class="import-running">
          {name}
          <progress
            max={Math.max(1, file.size)}
            value={state.sentBytes}
            aria-label={t("sending", { file: file.name })}
          />
          <span aria-hidden="true">
            {state.sentBytes < file.size
              ? t("sent", { sent: formatBytes(state.sentBytes), size: formatBytes(file.size) })
              : t("beingRead")}
          </span>
          {stop}
        </p>
      );
  }
}

function Counts({ counts }: { readonly counts: ImportCounts }): JSX.Element {
  return (
    <dl class="fact-list">
      {countLines(counts).map(([label, count]) => (
        <Fact key={label} label={label}>
          {formatCount(count)}
        </Fact>
      ))}
    </dl>
  );
}
