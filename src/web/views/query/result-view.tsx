import type { JSX } from "preact";
import { useId, useMemo, useState } from "preact/hooks";
import type { JsonValue } from "../../../domain/json.js";
import { createColors } from "../../category-colors.js";
import { effectiveCategories } from "../../category-state.js";
import { download } from "../../download.js";
import { formatDuration } from "../../format.js";
import { Bar } from "../../parts/bar.js";
import { common } from "../../texts/common.js";
import { locale } from "../../texts/language.js";
import { t } from "../../texts/query.js";
import { scheme } from "../../theme.js";
import { groupingOf } from "./grouping.js";
import { printJson } from "./json-text.js";
import { barsOf, cut, type ResultBar, type Section, sectionsOf } from "./result.js";
import { ResultTable } from "./result-table.js";

export const FORMS = ["table", "chart", "json"] as const;
export type Form = (typeof FORMS)[number];

const MAX_BARS = 30;
const JSON_STEP = 100_000;

export interface ResultViewProps {
  readonly value: JsonValue;
  /** The program of the result. */
  readonly program: string;
  readonly form: Form;
  readonly onForm: (form: Form) => void;
}

/** The result of a program as tables, bars or JSON. */
export function ResultView({ value, program, form, onForm }: ResultViewProps): JSX.Element {
  const sections = useMemo(() => sectionsOf(value), [value]);
  const grouping = useMemo(() => groupingOf(program), [program]);
  const group = useId();
  return (
    <>
      <div class="result-bar">
        <fieldset class="segments">
          <legend class="unseen">{t("showAs")}</legend>
          {FORMS.map((name) => (
            <label key={name}>
              <input type="radio" name={group} checked={form === name} onChange={() => onForm(name)} />
              <span>{t(`as_${name}`)}</span>
            </label>
          ))}
        </fieldset>
        <ExportButtons value={value} />
      </div>
      {form === "json" ? (
        <ResultJson value={value} />
      ) : (
        sections.map((section, at) => (
          <section key={`${at} ${section.path}`} class="result-part">
            {sections.length > 1 && <h3>{section.path === "" ? t("values") : cut(section.path, 100)}</h3>}
            {form === "table" ? (
              <ResultTable section={section} grouped={grouping(section.path)} />
            ) : (
              <ResultChart section={section} />
            )}
          </section>
        ))
      )}
    </>
  );
}

function ResultChart({ section }: { readonly section: Section }): JSX.Element {
  const bars = useMemo(() => barsOf(section, MAX_BARS), [section]);
  const colors = useMemo(
    () => createColors(effectiveCategories.value, scheme.value === "dark"),
    [effectiveCategories.value, scheme.value],
  );
  const longest = Math.max(0, ...bars.map((bar) => bar.value));
  if (bars.length === 0) return <p class="quiet">{t("noBars")}</p>;
  const print = ({ value }: ResultBar) =>
    section.kind === "events" ? formatDuration(value) : value.toLocaleString(locale.value);
  return (
    <ul class="bars">
      {bars.map((bar, at) => (
        <Bar
          key={at}
          label={cut(bar.label, 200)}
          value={print(bar)}
          share={longest > 0 ? bar.value / longest : 0}
          color={bar.category && colors.of(bar.category)}
        />
      ))}
    </ul>
  );
}

function ResultJson({ value }: { readonly value: JsonValue }): JSX.Element {
  const [most, setMost] = useState(JSON_STEP);
  const { text, isWhole } = useMemo(() => printJson(value, most), [value, most]);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard */}
      <section class="result-json" tabIndex={0} aria-label={t("resultAsJson")}>
        <pre>{text}</pre>
      </section>
      {!isWhole && (
        <p class="result-count">
          {t("firstCharacters", { count: text.length })}
          <button type="button" onClick={() => setMost(most * 4)}>
            {common("more")}
          </button>
        </p>
      )}
    </>
  );
}

/** Buttons to copy and download the complete result. */
function ExportButtons({ value }: { readonly value: JsonValue }): JSX.Element {
  const [outcome, setOutcome] = useState<"copied" | "noCopy">();
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(JSON.stringify(value, null, 2));
      setOutcome("copied");
    } catch {
      // Browsers only allow it on secure pages.
      setOutcome("noCopy");
    }
  }
  return (
    <span class="result-give">
      <span role="status">{outcome === "copied" ? common("copied") : outcome && t(outcome)}</span>
      <button type="button" onClick={copy}>
        {t("copyJson")}
      </button>
      <button type="button" onClick={() => download("query-result.json", JSON.stringify(value), "application/json")}>
        {t("download")}
      </button>
    </span>
  );
}
