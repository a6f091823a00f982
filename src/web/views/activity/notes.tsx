import type { JSX } from "preact";
import type { Fault } from "../../../domain/fault.js";
import { isJsonObject, type JsonValue } from "../../../domain/json.js";
import { isUnknownHost } from "../../../domain/unknown-host.js";
import { knownBuckets } from "../../buckets.js";
import { formatRough, shorten } from "../../format.js";
import { useSaving } from "../../parts/saving.js";
import type { Report } from "../../report.js";
import { href } from "../../router.js";
import { saveSetting } from "../../settings.js";
import { t } from "../../texts/activity.js";
import { translateMessage } from "../../texts/translate-message.js";
import { choosableHosts } from "./hosts.js";
import { unmatchedBrowsers } from "./unmatched-browsers.js";

const MAX_NAMED = 5;
/** Maximum length of names and reasons, in characters. */
const MAX_SHOWN = 200;

/** What the report could not apply, with links to fix it. */
export function Notes({
  report: { faults, coverage, unassigned = [] },
}: {
  readonly report: Report;
}): JSX.Element | null {
  const browsers = unmatchedBrowsers(coverage);
  if (faults.length + browsers.length + unassigned.length === 0) return null;
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
      {unassigned.slice(0, MAX_NAMED).map((bucket) => (
        <WhichDevice key={bucket} bucket={bucket} />
      ))}
      {browsers.slice(0, MAX_NAMED).map(({ bucket, seconds }) => (
        <p key={bucket}>
          {t("unmatchedBrowser", { bucket: shorten(bucket, MAX_SHOWN), length: formatRough(seconds) })}
        </p>
      ))}
    </div>
  );
}

/** The setting that assigns browsers to hosts. */
const BROWSER_HOSTS = "browser_hosts";

/** Asks once for the host of a browser that does not report one. */
function WhichDevice({ bucket }: { readonly bucket: string }): JSX.Element {
  const { error, save } = useSaving();
  const names = choosableHosts(knownBuckets.value).filter((name) => !isUnknownHost(name));
  const assign = (host: string): void => {
    const next = (value: JsonValue): JsonValue => ({ ...(isJsonObject(value) ? value : {}), [bucket]: host });
    void save(() => saveSetting(BROWSER_HOSTS, next));
  };
  return (
    <p class="row">
      {t("whichDevice", { bucket: shorten(bucket, MAX_SHOWN) })}
      {names.slice(0, MAX_NAMED).map((name) => (
        <button key={name} type="button" onClick={() => assign(name)}>
          {name}
        </button>
      ))}
      <button type="button" onClick={() => assign("")}>
        {t("noDevice")}
      </button>
      {error !== undefined && <span class="bad">{error}</span>}
    </p>
  );
}
