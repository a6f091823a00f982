import { type Signal, signal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { client, messageOfFailure } from "../api.js";
import { refreshBuckets } from "../buckets.js";
import { formatMoment } from "../format.js";
import { shownOf, useLoad } from "../load.js";
import { ConfirmDialog } from "../parts/confirm-dialog.js";
import { Failure } from "../parts/failure.js";
import { Field } from "../parts/field.js";
import { loadSettings, stored, zone } from "../settings.js";
import { Absent } from "./access/absent.js";
import { BucketPattern, BucketPatterns } from "./data/bucket-pattern.js";
import { type RowProps, RuleEditor } from "./data/rule-editor.js";
import { RuleList } from "./data/rule-list.js";
import { problemOf } from "./data/rules.js";
import { CountsTable } from "./retention/counts-table.js";
import { FRESH, fieldsOf, LIMITS, type RetentionFields, ruleOf } from "./retention/form.js";

const texts = {
  title: "Retention",
  intro: "How long events are kept, and how exactly. Without a rule everything is kept.",
  rules: "Rules",
  empty: "There are no rules: nothing is deleted.",
  hint: "Where several rules are about a bucket, the strictest limit counts. Protected buckets are left alone.",
  limits: {
    keepDays: ["Keep for (days)", "Older events are deleted."],
    summarizeAfterDays: ["Summarize after (days)", "Older events become one per hour and equal data."],
    dropShorterThan: ["Drop below (seconds)", "Shorter events are deleted when they are a day old."],
  },
  preview: "Preview",
  previewOf: "What these rules would do now",
  nothing: "These rules would change nothing now.",
  unreadable: "The settings could not be read.",
  noPreview: "There is no preview.",
  runNow: "Run now…",
  saveFirst: "Save the rules first: a run carries out what is saved.",
  run: "Run the retention rules now?",
  runEffect: "What they delete or summarize is not kept in the trash. A backup beforehand does no harm.",
  doRun: "Run",
  log: "Log",
  logHint: "A running server carries the rules out every hour. These are the last 100 runs that changed something.",
  noRuns: "No run has changed anything yet.",
};

const retentionRules: RuleList<RetentionFields> = new RuleList({ setting: "retention_rules", fieldsOf, ruleOf });

/** Runs that were started here: the log is read again behind each. */
const runs: Signal<number> = signal(0);

/** How long events are kept: rules, what they would do, and what they did. */
export default function RetentionView(): JSX.Element {
  const loadable = stored.value;
  const settings = shownOf(loadable);
  useEffect(() => void loadSettings(), []);
  useEffect(() => void refreshBuckets(), []);
  useEffect(() => settings && retentionRules.open(settings["retention_rules"]), [settings]);
  return (
    <div class="data-view">
      <h1>{texts.title}</h1>
      <p class="quiet">{texts.intro}</p>
      <section class="card" aria-label={texts.rules}>
        <h2>{texts.rules}</h2>
        {loadable.state === "failed" && (
          <Failure title={texts.unreadable} error={loadable.error} retry={() => void loadSettings()} />
        )}
        <Rules />
      </section>
      <Log />
      <BucketPatterns />
    </div>
  );
}

/** Counts, when they were asked for and what of: they are not counted while somebody types, since that takes long. */
function Rules(): JSX.Element {
  const [tried, setTried] = useState<string>();
  const rules = retentionRules.rules();
  const text = JSON.stringify(rules);
  const isShown = tried === text;
  const preview = useLoad(isShown ? text : "", (signal) =>
    isShown ? client.retention.preview(JSON.parse(text), { signal }) : Promise.resolve(undefined),
  );
  const found = isShown && preview.state === "failed" ? problemOf(messageOfFailure(preview.error)) : undefined;
  return (
    <>
      <RuleEditor
        list={retentionRules}
        fresh={FRESH}
        isOrdered={false}
        found={found}
        empty={texts.empty}
        row={retentionRow}
      />
      <p class="hint">{texts.hint}</p>
      <p class="row">
        <button type="button" disabled={rules.length === 0} onClick={() => setTried(text)}>
          {texts.preview}
        </button>
        {rules.length > 0 && <RunNow isDirty={retentionRules.isDirty()} />}
      </p>
      {isShown && preview.state === "failed" && <Failure title={texts.noPreview} error={preview.error} />}
      {isShown && preview.state === "loading" && <progress aria-label={texts.preview} />}
      {isShown && preview.state === "ready" && preview.value !== undefined && (
        <section aria-label={texts.previewOf}>
          <h3>{texts.previewOf}</h3>
          {preview.value.length === 0 ? (
            <p role="status">{texts.nothing}</p>
          ) : (
            <CountsTable caption={texts.previewOf} counts={preview.value} />
          )}
        </section>
      )}
    </>
  );
}

function retentionRow({ fields, onChange, errorAt }: RowProps<RetentionFields>): JSX.Element {
  return (
    <>
      <BucketPattern value={fields.buckets} error={errorAt("buckets")} onChange={(buckets) => onChange({ buckets })} />
      {LIMITS.map((limit) => {
        const [label, hint] = texts.limits[limit];
        return (
          <Field key={limit} label={label ?? ""} hint={hint} error={errorAt(limit)}>
            <input
              inputMode="decimal"
              value={fields[limit]}
              autocomplete="off"
              onInput={({ currentTarget: { value } }) => onChange({ [limit]: value })}
            />
          </Field>
        );
      })}
    </>
  );
}

function RunNow({ isDirty }: { readonly isDirty: boolean }): JSX.Element {
  const [isAsking, setIsAsking] = useState(false);
  async function run(): Promise<void> {
    await client.retention.run({ timeoutMillis: Number.POSITIVE_INFINITY });
    setIsAsking(false);
    runs.value++;
    void refreshBuckets();
  }
  return (
    <>
      <button type="button" disabled={isDirty} onClick={() => setIsAsking(true)}>
        {texts.runNow}
      </button>
      {isDirty && <span class="quiet">{texts.saveFirst}</span>}
      {isAsking && (
        <ConfirmDialog title={texts.run} action={texts.doRun} onConfirm={run} onClose={() => setIsAsking(false)}>
          <p>{texts.runEffect}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

function Log(): JSX.Element {
  const loaded = useLoad(`${runs.value}`, (signal) => client.retention.log({ signal }));
  const log = loaded.state === "failed" ? undefined : shownOf(loaded);
  return (
    <section class="card" aria-label={texts.log}>
      <h2>{texts.log}</h2>
      <p class="quiet">{texts.logHint}</p>
      {log === undefined && <Absent loaded={loaded} />}
      {log?.length === 0 && <p>{texts.noRuns}</p>}
      {log?.map(({ time, buckets }) => {
        const moment = formatMoment(time, zone.value);
        return (
          <section key={time} class="run" aria-label={moment}>
            <h3>
              <time dateTime={time}>{moment}</time>
            </h3>
            <CountsTable caption={moment} counts={buckets} />
          </section>
        );
      })}
    </section>
  );
}
