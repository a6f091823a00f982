import { useSignal } from "@preact/signals";
import type { JSX, TargetedEvent } from "preact";
import type { JsonValue } from "../../domain/json.js";
import { readWorkdays, WEEKDAYS } from "../../domain/weekday.js";
import { describeFailure } from "../api.js";
import { DemoCard } from "../demo/demo-card.js";
import { formatterOf } from "../format.js";
import { shownValue } from "../load.js";
import { Busy } from "../parts/busy.js";
import { Failure } from "../parts/failure.js";
import { Field } from "../parts/field.js";
import { type Saving, SavingNote, useSaving } from "../parts/saving.js";
import { href } from "../router.js";
import {
  alwaysActivePattern,
  isZone,
  languageSetting,
  loadSettings,
  saveSetting,
  settings,
  startOfDay,
  startOfWeek,
  stored,
  theme,
  timeZone,
  zone,
} from "../settings.js";
import { common } from "../texts/common.js";
import { LANGUAGES, languageFailure, languageOfBrowser } from "../texts/language.js";
import { t } from "../texts/settings.js";
import { t as shell } from "../texts/shell.js";
import type { LazyText } from "../texts/text.js";
import { patternErrorOf } from "./settings/pattern-error.js";

/** User settings. Each field is saved when it loses the focus, under the key of ActivityWatch's web UI. */
export default function SettingsView(): JSX.Element {
  const loadable = stored.value;
  if (shownValue(loadable) === undefined) {
    if (loadable.state !== "failed") return <Busy />;
    return <Failure error={loadable.error} title={common("notLoaded")} retry={loadSettings} />;
  }
  return (
    <div class="settings">
      <h1>{shell("settings")}</h1>
      <p class="quiet">{t("intro")}</p>
      <Days />
      <Activity />
      <Look />
      <section class="card">
        <h2>{t("elsewhere")}</h2>
        <p>
          {t.rich("elsewhereText", {
            categories: <a href={href(["categories"])}>{shell("categories")}</a>,
            welcome: <a href={href(["welcome"])}>{t("toWelcome")}</a>,
            access: <a href={href(["access"])}>{shell("access")}</a>,
          })}
        </p>
      </section>
      <DemoCard />
    </div>
  );
}

/** Stores values under a key. */
function useSettingSaving(key: string): Omit<Saving, "save"> & { save(value: JsonValue): Promise<boolean> } {
  const { save, ...told } = useSaving();
  return { ...told, save: (value) => save(() => saveSetting(key, value)) };
}

function Days(): JSX.Element {
  const day = useSettingSaving("startOfDay");
  const week = useSettingSaving("startOfWeek");
  const place = useSettingSaving("timeZone");
  const work = useSettingSaving("workdays");
  const workdays = readWorkdays(settings.value["workdays"]);
  const unknown = useSignal<string | undefined>(undefined);
  const typed = useSignal<string | undefined>(undefined);

  function saveZone({ currentTarget: { value } }: TargetedEvent<HTMLInputElement>): void {
    const name = value.trim();
    unknown.value = name === "" || isZone(name) ? undefined : name;
    if (unknown.value === undefined && name !== timeZone.value) void place.save(name);
  }

  function saveWorkday(day: number): Promise<boolean> {
    return work.save(WEEKDAYS.filter((_, at) => (at === day ? !workdays.includes(at) : workdays.includes(at))));
  }

  const noZone = unknown.value && t("unknownZone", { name: unknown.value });
  return (
    <section class="card">
      <h2>{t("days")}</h2>
      <Field label={t("startOfDay")} hint={t("startOfDayHint")} error={day.error}>
        <input
          type="time"
          required
          value={startOfDay.value}
          onChange={({ currentTarget: { value } }) => value !== "" && void day.save(value)}
        />
        <SavingNote text={day.note} />
      </Field>
      <Field label={t("startOfWeek")} error={week.error}>
        <select value={startOfWeek.value} onChange={({ currentTarget: { value } }) => void week.save(value)}>
          {WEEKDAYS.map((name, day) => (
            <option key={name} value={name}>
              {nameOfWeekday(day)}
            </option>
          ))}
        </select>
        <SavingNote text={week.note} />
      </Field>
      <Field label={t("timeZone")} hint={t("timeZoneHint", { zone: zone.value })} error={noZone ?? place.error}>
        <input
          list="zones"
          value={typed.value ?? timeZone.value}
          placeholder={zone.value}
          onInput={({ currentTarget: { value } }) => {
            typed.value = value;
          }}
          onChange={saveZone}
        />
        <SavingNote text={place.note} />
      </Field>
      <fieldset class="row">
        <legend>{t("workdays")}</legend>
        {WEEKDAYS.map((name, day) => (
          <label key={name} class="row">
            <input type="checkbox" checked={workdays.includes(day)} onChange={() => void saveWorkday(day)} />
            {nameOfWeekday(day)}
          </label>
        ))}
        <p class="hint">{work.error ?? t("workdaysHint")}</p>
        <SavingNote text={work.note} />
      </fieldset>
      <datalist id="zones">
        {Intl.supportedValuesOf("timeZone").map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </section>
  );
}

function Activity(): JSX.Element {
  const pattern = useSettingSaving("always_active_pattern");
  const entered = useSettingSaving("stopwatch_active");
  const typed = useSignal<string | undefined>(undefined);
  const fault = useSignal<LazyText | undefined>(undefined);

  /** Validates the pattern, since all numbers depend on it. */
  async function savePattern(value: string): Promise<void> {
    typed.value = value;
    fault.value = undefined;
    const found = await patternErrorOf(value);
    // The input has changed in the meantime.
    if (typed.value !== value) return;
    fault.value = found && (() => common("notSaved", { reason: found() }));
    if (found === undefined) await pattern.save(value);
  }

  return (
    <section class="card">
      <h2>{t("withoutHands")}</h2>
      <Field label={t("alwaysActive")} hint={t("alwaysActiveHint")} error={fault.value?.() ?? pattern.error}>
        <input
          class="wide"
          value={typed.value ?? alwaysActivePattern.value}
          placeholder="Zoom|Meet|VLC"
          spellcheck={false}
          aria-invalid={fault.value !== undefined}
          // Tracks the input, since saving another field re-renders this one.
          onInput={({ currentTarget: { value } }) => {
            typed.value = value;
          }}
          onChange={({ currentTarget: { value } }) => void savePattern(value)}
        />
        <SavingNote text={fault.value === undefined ? pattern.note : ""} />
      </Field>
      <label class="row">
        <input
          type="checkbox"
          checked={settings.value["stopwatch_active"] !== false}
          onChange={({ currentTarget: { checked } }) => void entered.save(checked)}
        />
        {t("stopwatchActive")}
      </label>
      <p class="hint">{entered.error ?? t("stopwatchActiveHint")}</p>
      <SavingNote text={entered.note} />
    </section>
  );
}

/** The name of a weekday, 0 for Sunday. */
function nameOfWeekday(day: number): string {
  return formatterOf({ weekday: "long", timeZone: "UTC" }).format(new Date(Date.UTC(2023, 0, 1 + day)));
}

function Look(): JSX.Element {
  const look = useSettingSaving("theme");
  const spoken = useSettingSaving("language");
  const unloaded = languageFailure.value;
  const failure = unloaded === undefined ? undefined : t("languageNotLoaded", { reason: describeFailure(unloaded) });
  return (
    <section class="card">
      <h2>{t("look")}</h2>
      <Field label={t("theme")} error={look.error}>
        <select value={theme.value} onChange={({ currentTarget: { value } }) => void look.save(value)}>
          <option value="auto">{t("auto")}</option>
          <option value="light">{t("light")}</option>
          <option value="dark">{t("dark")}</option>
        </select>
        <SavingNote text={look.note} />
      </Field>
      <Field label={t("language")} error={spoken.error ?? failure}>
        <select value={languageSetting.value} onChange={({ currentTarget: { value } }) => void spoken.save(value)}>
          <option value="system">{t("languageOfBrowser", { name: LANGUAGES[languageOfBrowser()] })}</option>
          {Object.entries(LANGUAGES).map(([tag, name]) => (
            <option key={tag} value={tag} lang={tag}>
              {name}
            </option>
          ))}
        </select>
        <SavingNote text={spoken.note} />
      </Field>
    </section>
  );
}
