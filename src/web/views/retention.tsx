import { type Signal, signal } from "@preact/signals";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { client } from "../api.js";
import { reloadBuckets } from "../buckets.js";
import { formatMoment } from "../format.js";
import { shownValue, useLoad } from "../load.js";
import { ConfirmDialog } from "../parts/confirm-dialog.js";
import { Failure } from "../parts/failure.js";
import { Field } from "../parts/field.js";
import { zone } from "../settings.js";
import { common } from "../texts/common.js";
import { t } from "../texts/retention.js";
import { t as shell } from "../texts/shell.js";
import { Absent } from "./access/absent.js";
import { BucketPattern } from "./data/bucket-pattern.js";
import { CountsTable } from "./data/counts-table.js";
import { type RowProps, RuleEditor } from "./data/rule-editor.js";
import { RuleList } from "./data/rule-list.js";
import { problemOf } from "./data/rules.js";
import { RulesView } from "./data/rules-view.js";
import { buildRule, FRESH, fieldsOf, LIMITS, type RetentionFields } from "./retention/form.js";

const retentionRules: RuleList<RetentionFields> = new RuleList({
  setting: "retention_rules",
  fieldsOf,
  ruleOf: buildRule,
});

/** Number of runs started here; the log is reloaded after each. */
const runs: Signal<number> = signal(0);

/** Retention rules, their expected effect, and past runs. */
export default function RetentionView(): JSX.Element {
  return (
    <RulesView title={shell("retention")} intro={t("intro")} list={retentionRules} editor={<Rules />}>
      <Log />
    </RulesView>
  );
}

/** Counts on demand only, since counting during typing would be slow. */
function Rules(): JSX.Element {
  const [tried, setTried] = useState<string>();
  const rules = retentionRules.rules();
  const text = JSON.stringify(rules);
  const isShown = tried === text;
  const preview = useLoad(isShown ? text : "", (signal) =>
    isShown ? client.retention.preview(JSON.parse(text), { signal }) : Promise.resolve(undefined),
  );
  const found = isShown && preview.state === "failed" ? problemOf(preview.error) : undefined;
  return (
    <>
      <RuleEditor
        list={retentionRules}
        fresh={FRESH}
        isOrdered={false}
        found={found}
        empty={t("empty")}
        row={retentionRow}
      />
      <p class="hint">{t("hint")}</p>
      <p class="row">
        <button type="button" disabled={rules.length === 0} onClick={() => setTried(text)}>
          {t("preview")}
        </button>
        {rules.length > 0 && <RunNow isDirty={retentionRules.isDirty()} />}
      </p>
      {isShown && preview.state === "failed" && <Failure title={common("noPreview")} error={preview.error} />}
      {isShown && preview.state === "loading" && <progress aria-label={t("preview")} />}
      {isShown && preview.state === "ready" && preview.value !== undefined && (
        <div>
          <h3>{t("previewOf")}</h3>
          {preview.value.length === 0 ? (
            <p role="status">{t("nothing")}</p>
          ) : (
            <CountsTable caption={t("previewOf")} counts={preview.value} labels={countLabels()} />
          )}
        </div>
      )}
    </>
  );
}

function retentionRow({ fields, onChange, errorAt }: RowProps<RetentionFields>): JSX.Element {
  return (
    <>
      <BucketPattern value={fields.buckets} error={errorAt("buckets")} onChange={(buckets) => onChange({ buckets })} />
      {LIMITS.map((limit) => {
        return (
          <Field key={limit} label={t(limit)} hint={t(`${limit}Hint`)} error={errorAt(limit)}>
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
    void reloadBuckets();
  }
  return (
    <>
      <button type="button" disabled={isDirty} onClick={() => setIsAsking(true)}>
        {t("runNow")}
      </button>
      {isDirty && <span class="quiet">{t("saveFirst")}</span>}
      {isAsking && (
        <ConfirmDialog title={t("run")} action={t("doRun")} onConfirm={run} onClose={() => setIsAsking(false)}>
          <p>{t("runEffect")}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

function Log(): JSX.Element {
  const loaded = useLoad(`${runs.value}`, (signal) => client.retention.log({ signal }));
  const log = loaded.state === "failed" ? undefined : shownValue(loaded);
  return (
    <section class="card" aria-label={t("log")}>
      <h2>{t("log")}</h2>
      <p class="quiet">{t("logHint")}</p>
      {log === undefined && <Absent loaded={loaded} />}
      {log?.length === 0 && <p>{t("noRuns")}</p>}
      {log?.map(({ time, buckets }) => {
        const moment = formatMoment(time, zone.value);
        return (
          <div key={time} class="run">
            <h3>
              <time dateTime={time}>{moment}</time>
            </h3>
            <CountsTable caption={moment} counts={buckets} labels={countLabels()} />
          </div>
        );
      })}
    </section>
  );
}

function countLabels() {
  return (["expired", "short", "summarized", "summaries"] as const).map((name) => [name, t(name)] as const);
}
