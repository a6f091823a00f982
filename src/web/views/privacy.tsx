import type { JSX } from "preact";
import type { ClientPrivacyRule } from "../../client/index.js";
import { client } from "../api.js";
import { shownValue, useLoad } from "../load.js";
import { Failure } from "../parts/failure.js";
import { stored } from "../settings.js";
import { common } from "../texts/common.js";
import { t } from "../texts/privacy.js";
import { t as shell } from "../texts/shell.js";
import { RuleEditor } from "./data/rule-editor.js";
import { RuleList } from "./data/rule-list.js";
import { problemOf } from "./data/rules.js";
import { RulesView } from "./data/rules-view.js";
import { ApplyToStored } from "./privacy/apply-to-stored.js";
import { Filters } from "./privacy/filters.js";
import { buildRule, FRESH, fieldsOf, hasNoPattern, type PrivacyFields } from "./privacy/form.js";
import { PresetButtons } from "./privacy/preset-buttons.js";
import { DataKeys, RuleFields } from "./privacy/rule-fields.js";
import { findTrial, Trial } from "./privacy/trial.js";

/** Number of newest events per bucket to try rules on. */
const TRIED = 1000;
/** Delay after typing before rules are tried. */
const PAUSE_MILLIS = 300;

const privacyRules: RuleList<PrivacyFields> = new RuleList({ setting: "privacy_rules", fieldsOf, ruleOf: buildRule });

/** Privacy rules, tried on stored events. */
export default function PrivacyView(): JSX.Element {
  return (
    <RulesView title={shell("privacy")} intro={t("intro")} list={privacyRules} editor={<Rules />}>
      <ApplyToStored isDirty={privacyRules.isDirty()} />
      <Filters value={shownValue(stored.value)?.["privacy_filters"]} />
      <DataKeys />
    </RulesView>
  );
}

function Rules(): JSX.Element {
  const text = JSON.stringify(privacyRules.rules());
  // The server would reject rules that are not complete yet.
  const isUnfinished = (privacyRules.draft.value?.entries ?? []).some(({ fields }) => hasNoPattern(fields));
  const isEmpty = text === "[]" || isUnfinished;
  const preview = useLoad(text, async (signal) => {
    if (isEmpty) return undefined;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLIS));
    signal.throwIfAborted();
    const rules = JSON.parse(text) as ClientPrivacyRule[];
    return client.privacy.preview({ rules, events: TRIED, examples: 3 }, { signal });
  });
  const found = preview.state === "failed" ? undefined : shownValue(preview);
  const problem = preview.state === "failed" ? problemOf(preview.error) : undefined;
  return (
    <>
      <RuleEditor
        list={privacyRules}
        fresh={FRESH}
        isOrdered={true}
        found={problem}
        empty={t("empty")}
        row={(props) => (
          <>
            {RuleFields(props)}
            {found !== undefined && <Trial trial={findTrial(found, props.index)} />}
          </>
        )}
      />
      <PresetButtons list={privacyRules} />
      <p class="hint">{t("hint")}</p>
      {preview.state === "loading" && !isEmpty && <p class="quiet">{t("trying")}</p>}
      {preview.state === "failed" && problem === undefined && (
        <Failure title={common("noPreview")} error={preview.error} />
      )}
      {found !== undefined && (
        <p role="status">{t("tried", { events: found.events, dropped: found.dropped, changed: found.changed })}</p>
      )}
    </>
  );
}
