import type { JSX } from "preact";
import type { ClientPrivacyPreview } from "../../../client/index.js";
import type { JsonObject } from "../../../domain/json.js";
import { formatMoment, shorten } from "../../format.js";
import { Fact } from "../../parts/fact.js";
import { zone } from "../../settings.js";
import { t } from "../../texts/privacy.js";
import { changedKeys } from "./changed-keys.js";

/** Effect of one rule. */
export type RuleTrial = ClientPrivacyPreview["rules"][number];

/** The part of a preview for one rule of the list. */
export function findTrial({ rules }: ClientPrivacyPreview, index: number): RuleTrial | undefined {
  return rules.find(({ rule }) => rule === `rules[${index}]`);
}

/** Effect of a rule on the tried events. */
export function Trial({ trial }: { readonly trial: RuleTrial | undefined }): JSX.Element {
  if (trial === undefined) return <p class="quiet wide">{t("off")}</p>;
  const { dropped, changed, examples } = trial;
  if (dropped + changed === 0) return <p class="quiet wide">{t("none")}</p>;
  return (
    <div class="wide trial">
      <p>
        <strong>{t("trial", { dropped, changed })}</strong>
      </p>
      <details>
        <summary>{t("examples", { count: examples.length })}</summary>
        <ul class="examples">
          {examples.map((example, index) => (
            <li key={index}>
              <Example example={example} />
            </li>
          ))}
        </ul>
      </details>
    </div>
  );
}

function Example({ example }: { readonly example: RuleTrial["examples"][number] }): JSX.Element {
  const { before, after, bucket_id: id } = example;
  const keys = after === null ? Object.keys(before.data) : changedKeys(before.data, after.data);
  return (
    <>
      <p class="quiet">
        {id}, {formatMoment(before.timestamp, zone.value)}
      </p>
      <dl class="before-after">
        <Fact label={t("before")}>
          <Data data={before.data} keys={keys} />
        </Fact>
        <Fact label={t("after")}>
          {after === null ? <em>{t("dropped")}</em> : <Data data={after.data} keys={keys} />}
        </Fact>
      </dl>
    </>
  );
}

const LONGEST = 200;

function Data({ data, keys }: { readonly data: JsonObject; readonly keys: readonly string[] }): JSX.Element {
  return (
    <>
      {keys.flatMap((key) => {
        const value = data[key];
        if (value === undefined) return [];
        return (
          <span key={key} class="datum">
            <span class="quiet">{key}</span>{" "}
            {shorten(typeof value === "string" ? value : JSON.stringify(value), LONGEST)}
          </span>
        );
      })}
    </>
  );
}
