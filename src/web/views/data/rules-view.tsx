import type { ComponentChildren, JSX } from "preact";
import { useEffect } from "preact/hooks";
import { refreshBuckets } from "../../buckets.js";
import { shownValue } from "../../load.js";
import { Failure } from "../../parts/failure.js";
import { loadSettings, stored } from "../../settings.js";
import { common } from "../../texts/common.js";
import { t } from "../../texts/rules.js";
import { BucketPatterns } from "./bucket-pattern.js";
import type { RuleList } from "./rule-list.js";

export interface RulesViewProps<Fields> {
  readonly title: string;
  readonly intro: string;
  readonly list: RuleList<Fields>;
  /** The editor of the rules. */
  readonly editor: ComponentChildren;
  /** Content below the rules. */
  readonly children: ComponentChildren;
}

/** A view of rules in a setting. */
export function RulesView<Fields>({ title, intro, list, editor, children }: RulesViewProps<Fields>): JSX.Element {
  const loadable = stored.value;
  const settings = shownValue(loadable);
  useEffect(() => {
    void loadSettings();
    void refreshBuckets();
  }, []);
  useEffect(() => settings && list.open(settings[list.setting]), [settings]);
  return (
    <div class="data-view">
      <h1>{title}</h1>
      <p class="quiet">{intro}</p>
      <section class="card" aria-label={t("rules")}>
        <h2>{t("rules")}</h2>
        {loadable.state === "failed" && (
          <Failure title={common("notLoaded")} error={loadable.error} retry={() => void loadSettings()} />
        )}
        {editor}
      </section>
      {children}
      <BucketPatterns />
    </div>
  );
}
