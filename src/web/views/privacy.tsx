import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { ClientPrivacyRule } from "../../client/care-types.js";
import { client, messageOfFailure } from "../api.js";
import { refreshBuckets } from "../buckets.js";
import { formatCount } from "../format.js";
import { shownOf, useLoad } from "../load.js";
import { Failure } from "../parts/failure.js";
import { loadSettings, stored } from "../settings.js";
import { BucketPatterns } from "./data/bucket-pattern.js";
import { RuleEditor } from "./data/rule-editor.js";
import { RuleList } from "./data/rule-list.js";
import { problemOf } from "./data/rules.js";
import { Filters } from "./privacy/filters.js";
import { FRESH, fieldsOf, type PrivacyFields, ruleOf } from "./privacy/form.js";
import { DataKeys, RuleFields } from "./privacy/rule-fields.js";
import { Trial, trialOf } from "./privacy/trial.js";

const texts = {
  title: "Privacy",
  intro:
    "Rules drop events, or take values out of them, before anything is stored. They apply as soon as they are saved.",
  rules: "Rules",
  empty: "There are no rules: every event is stored as it comes.",
  hint: "Rules apply in their order, each to what those before it have left.",
  unreadable: "The settings could not be read.",
  trying: "Trying the rules on what is stored…",
  noTrial: "The rules could not be tried.",
  tried: (events: string, dropped: string, changed: string) =>
    `Tried on the newest events of each bucket, ${events} in all: ${dropped} would be dropped, ${changed} changed.`,
};

/** How many of the newest events of each bucket rules are tried on. */
const TRIED = 1000;
/** So long nobody must type before they are. */
const PAUSE_MILLIS = 300;

const privacyRules: RuleList<PrivacyFields> = new RuleList({ setting: "privacy_rules", fieldsOf, ruleOf });

/** What is kept out of the storage: rules, tried on what is stored. */
export default function PrivacyView(): JSX.Element {
  const loadable = stored.value;
  const settings = shownOf(loadable);
  useEffect(() => void loadSettings(), []);
  useEffect(() => void refreshBuckets(), []);
  useEffect(() => settings && privacyRules.open(settings["privacy_rules"]), [settings]);
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
      <Filters value={settings?.["privacy_filters"]} />
      <BucketPatterns />
      <DataKeys />
    </div>
  );
}

function Rules(): JSX.Element {
  const text = JSON.stringify(privacyRules.rules());
  const isEmpty = text === "[]";
  const preview = useLoad(text, async (signal) => {
    if (isEmpty) return undefined;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLIS));
    signal.throwIfAborted();
    const rules = JSON.parse(text) as ClientPrivacyRule[];
    return client.privacy.preview({ rules, events: TRIED, examples: 3 }, { signal });
  });
  const found = preview.state === "failed" ? undefined : shownOf(preview);
  const problem = preview.state === "failed" ? problemOf(messageOfFailure(preview.error)) : undefined;
  return (
    <>
      <RuleEditor
        list={privacyRules}
        fresh={FRESH}
        isOrdered={true}
        found={problem}
        empty={texts.empty}
        row={(props) => (
          <>
            {RuleFields(props)}
            {found !== undefined && <Trial trial={trialOf(found, props.index)} />}
          </>
        )}
      />
      <p class="hint">{texts.hint}</p>
      {preview.state === "loading" && !isEmpty && <p class="quiet">{texts.trying}</p>}
      {preview.state === "failed" && problem === undefined && <Failure title={texts.noTrial} error={preview.error} />}
      {found !== undefined && (
        <p role="status">
          {texts.tried(formatCount(found.events), formatCount(found.dropped), formatCount(found.changed))}
        </p>
      )}
    </>
  );
}
