import type { JSX } from "preact";
import type { Period } from "../period.js";
import { href, type Params, route } from "../router.js";
import { t } from "../texts/filtered.js";

export interface NothingProps {
  readonly period: Period;
  readonly params: Params;
}

/** Message for an empty result, with a link to a wider search. */
export function Nothing({ period, params }: NothingProps): JSX.Element {
  const year = period.first.slice(0, 4);
  return (
    <section class="card activity-empty">
      <h2>{t("nothing")}</h2>
      <p>{t("nothingWhy")}</p>
      <p class="row">
        <a class="button" href={href(route.value.path, params, [])}>
          {t("without")}
        </a>
        {period.kind !== "year" && (
          <a class="button" href={href(["year", year], params)}>
            {t("wholeYear", { year })}
          </a>
        )}
      </p>
    </section>
  );
}
