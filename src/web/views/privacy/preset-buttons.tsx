import type { JSX } from "preact";
import { type JsonValue, sameJson } from "../../../domain/json.js";
import { t } from "../../texts/privacy.js";
import type { RuleList } from "../data/rule-list.js";
import { entryOf } from "../data/rules.js";
import { fieldsOf, type PrivacyFields } from "./form.js";
import { PRIVACY_PRESETS, type PrivacyPreset } from "./presets.js";

/** Adds rules for a topic, without those that are there. They apply once saved. */
export function PresetButtons({ list }: { readonly list: RuleList<PrivacyFields> }): JSX.Element {
  const rules = list.rules();
  const missing = (preset: PrivacyPreset): readonly JsonValue[] =>
    PRIVACY_PRESETS[preset].filter((rule) => !rules.some((one) => sameJson(one, rule)));
  return (
    <div class="row">
      <span class="quiet">{t("presets")}</span>
      {(Object.keys(PRIVACY_PRESETS) as PrivacyPreset[]).map((preset) => (
        <button
          key={preset}
          type="button"
          disabled={missing(preset).length === 0}
          onClick={() =>
            list.change([
              ...(list.draft.peek()?.entries ?? []),
              ...missing(preset).map((rule) => entryOf(fieldsOf(rule))),
            ])
          }
        >
          {t(preset)}
        </button>
      ))}
    </div>
  );
}
