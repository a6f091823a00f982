import type { JSX, TargetedDragEvent } from "preact";
import { useState } from "preact/hooks";
import type { ImportCounts } from "../../../client/client-types.js";
import { formatBytes, formatCount } from "../../format.js";
import { clearImports, type ImportJob, importFiles, importJobs, retryImport, stopImport } from "./transfer.js";

/** Takes files, chosen or dropped, and reports what has become of them. */
export function ImportPanel(): JSX.Element {
  const [isOver, setIsOver] = useState(false);
  const jobs = importJobs.value;
  const isFinished = jobs.length > 0 && jobs.every(({ state }) => state.kind !== "waiting" && state.kind !== "running");

  function choose({ currentTarget }: { readonly currentTarget: HTMLInputElement }): void {
    importFiles(currentTarget.files ?? []);
    // The same file can be chosen again.
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
      aria-label="Import"
      onDragOver={hover}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <h2>Import</h2>
      <p class="hint">
        Choose files or drop them here: exports of this server or of ActivityWatch, dumps of WakaTime, CSV. What is
        there already is left as it is. Databases of ActivityWatch are read by the command{" "}
        <code>activity-server import</code>.
      </p>
      <label class="import-choose">
        <span class="field-label">Files to import</span>
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
          Clear the reports
        </button>
      )}
    </section>
  );
}

function ImportReport({ job: { number, file, state } }: { readonly job: ImportJob }): JSX.Element {
  const name = <strong class="import-name">{file.name}</strong>;
  const again = (
    <button type="button" onClick={() => retryImport(number)}>
      Try again
    </button>
  );
  const stop = (
    <button type="button" onClick={() => stopImport(number)}>
      Stop
    </button>
  );
  switch (state.kind) {
    case "waiting":
      return (
        <p>
          {name} <span>waits for its turn.</span> {stop}
        </p>
      );
    case "stopped":
      return (
        <p>
          {name} <span>was stopped.</span> {again}
        </p>
      );
    case "failed":
      return (
        <div class="failure" role="alert">
          <p>
            {name} <span>was not imported. {state.message}</span>
          </p>
          {again}
        </div>
      );
    case "done":
      return (
        <div class="import-done">
          <p>
            {name} <span>was imported.</span>
          </p>
          <Counts counts={state.counts} />
        </div>
      );
    default:
      return (
        <p class="import-running">
          {name}
          <progress max={Math.max(1, file.size)} value={state.sentBytes} aria-label={`Sending ${file.name}`} />
          <span aria-hidden="true">
            {state.sentBytes < file.size
              ? `${formatBytes(state.sentBytes)} of ${formatBytes(file.size)} sent`
              : "sent; the server reads it…"}
          </span>
          {stop}
        </p>
      );
  }
}

function Counts({ counts }: { readonly counts: ImportCounts }): JSX.Element {
  const lines: readonly (readonly [label: string, count: number])[] = [
    ["Buckets created", counts.buckets_created],
    ["Buckets that were there", counts.buckets_merged],
    ["Events imported", counts.events_imported],
    ["Events that were there", counts.events_already_there],
    ["Invalid events, left out", counts.events_invalid],
  ];
  return (
    <dl class="fact-list">
      {lines.map(([label, count]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{formatCount(count)}</dd>
        </div>
      ))}
    </dl>
  );
}
