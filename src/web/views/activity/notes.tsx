import type { JSX } from "preact";
import type { Fault } from "../../../domain/fault.js";
import { formatDuration, shorten } from "../../format.js";
import type { Report } from "../../report.js";
import { href } from "../../router.js";
import { t } from "../../texts/activity.js";
import { translateMessage } from "../../texts/translate-message.js";
import { unmatchedBrowsers } from "./unmatched-browsers.js";

const MAX_NAMED = 5;
/** Maximum length of names and reasons, in characters. */
const MAX_SHOWN = 200;

/** What the report could not apply, with links to fix it. */
export function Notes({ report: { faults, coverage } }: { readonly report: Report }): JSX.Element | null {
  const browsers = unmatchedBrowsers(coverage);
  if (faults.length + browsers.length === 0) return null;
  return (
    <div class="notice" role="status">
      {faults.slice(0, MAX_NAMED).map(({ setting, rule, message, fault, values = {} }) => {
        const error = fault === undefined ? {} : { fault: { name: fault, values: values as Fault["values"] } };
        const reason = shorten(translateMessage(error, message), MAX_SHOWN);
        if (setting === "categories") {
          const category = <a href={href(["categories"])}>{shorten(rule ?? "", MAX_SHOWN)}</a>;
          return <p key={rule}>{t.rich("ruleLeftOut", { category, reason })}</p>;
        }
        const link = <a href={href(["settings"])}>{t("alwaysActive")}</a>;
        return (
          <p key={setting}>
            {setting === "always_active_pattern"
              ? t.rich("patternLeftOut", { link, reason })
              : t("browserLeftOut", { bucket: shorten(rule ?? "", MAX_SHOWN), reason })}
          </p>
        );
      })}
      {faults.length > MAX_NAMED && <p>{t("moreLeftOut", { count: faults.length - MAX_NAMED })}</p>}
      {browsers.slice(0, MAX_NAMED).map(({ bucket, seconds }) => (
        <p key={bucket}>
          {t("unmatchedBrowser", { bucket: shorten(bucket, MAX_SHOWN), length: formatDuration(seconds) })}
        </p>
      ))}
    </div>
  );
}
