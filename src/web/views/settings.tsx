import { useSignal } from "@preact/signals";
import type { JSX, TargetedEvent } from "preact";
import type { JsonValue } from "../../domain/json.js";
import { messageOfFailure } from "../api.js";
import { DemoCard } from "../demo/demo-card.js";
import { shownOf } from "../load.js";
import { Busy } from "../parts/busy.js";
import { Failure } from "../parts/failure.js";
import { Field } from "../parts/field.js";
import { href } from "../router.js";
import {
  alwaysActivePattern,
  isZone,
  languageSetting,
  loadSettings,
  saveSetting,
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
import { patternErrorOf } from "./settings/pattern-error.js";

/** What can be set. Each field is stored as soon as it is left, under the key that the official UI uses. */
export default function SettingsView(): JSX.Element {
  const loadable = stored.value;
  if (shownOf(loadable) === undefined) {
    if (loadable.state !== "failed") return <Busy />;
    return <Failure error={loadable.error} title={t("notRead")} retry={loadSettings} />;
  }
  return (
    <div class="settings">
      <h1>{t("title")}</h1>
      <p class="quiet">{t("intro")}</p>
      <Days />
      <Activity />
      <Look />
      <section class="card">
        <h2>{t("elsewhere")}</h2>
        <p>
          {t.rich("elsewhereText", {
            categories: <a href={href(["categories"])}>{t("toCategories")}</a>,
            welcome: <a href={href(["welcome"])}>{t("toWelcome")}</a>,
            access: <a href={href(["access"])}>{t("toAccess")}</a>,
          })}
        </p>
      </section>
      <DemoCard />
    </div>
  );
}

interface Saving {
  readonly note: string;
  readonly error: string | undefined;
  save(value: JsonValue): Promise<void>;
}

/** Stores values under a key and says what became of them. */
function useSaving(key: string): Saving {
  const note = useSignal("");
  const error = useSignal<string | undefined>(undefined);
  return {
    note: note.value,
    error: error.value,
    async save(value) {
      note.value = common("saving");
      error.value = undefined;
      try {
        await saveSetting(key, value);
        note.value = common("saved");
      } catch (thrown) {
        note.value = "";
        error.value = t("notSaved", { reason: messageOfFailure(thrown) });
      }
    },
  };
}

function Note({ text }: { readonly text: string }): JSX.Element {
  return (
    <span class="setting-note" role="status">
      {text}
    </span>
  );
}

function Days(): JSX.Element {
  const day = useSaving("startOfDay");
  const week = useSaving("startOfWeek");
  const place = useSaving("timeZone");
  const unknown = useSignal<string | undefined>(undefined);
  const typed = useSignal<string | undefined>(undefined);

  function saveZone({ currentTarget: { value } }: TargetedEvent<HTMLInputElement>): void {
    const name = value.trim();
    unknown.value = name === "" || isZone(name) ? undefined : t("unknownZone", { name });
    if (unknown.value === undefined && name !== timeZone.value) void place.save(name);
  }

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
        <Note text={day.note} />
      </Field>
      <Field label={t("startOfWeek")} error={week.error}>
        <select value={startOfWeek.value} onChange={({ currentTarget: { value } }) => void week.save(value)}>
          <option value="Monday">{t("monday")}</option>
          <option value="Sunday">{t("sunday")}</option>
        </select>
        <Note text={week.note} />
      </Field>
      <Field label={t("timeZone")} hint={t("timeZoneHint", { zone: zone.value })} error={unknown.value ?? place.error}>
        <input
          list="zones"
          value={typed.value ?? timeZone.value}
          placeholder={zone.value}
          onInput={({ currentTarget: { value } }) => {
            typed.value = value;
          }}
          onChange={saveZone}
        />
        <Note text={place.note} />
      </Field>
      <datalist id="zones">
        {Intl.supportedValuesOf("timeZone").map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </section>
  );
}

function Activity(): JSX.Element {
  const pattern = useSaving("always_active_pattern");
  const typed = useSignal<string | undefined>(undefined);
  const fault = useSignal<string | undefined>(undefined);

  /** Every number is made with it, so a wrong one would leave none. */
  async function savePattern(value: string): Promise<void> {
    typed.value = value;
    fault.value = undefined;
    const found = await patternErrorOf(value);
    // Something else was typed meanwhile.
    if (typed.value !== value) return;
    fault.value = found;
    if (found === undefined) await pattern.save(value);
  }

  return (
    <section class="card">
      <h2>{t("withoutHands")}</h2>
      <Field label={t("alwaysActive")} hint={t("alwaysActiveHint")} error={fault.value ?? pattern.error}>
        <input
          class="wide"
          value={typed.value ?? alwaysActivePattern.value}
          placeholder="Zoom|Meet|VLC"
          spellcheck={false}
          aria-invalid={fault.value !== undefined}
          // Kept while it is typed: what another field has saved draws this one anew.
          onInput={({ currentTarget: { value } }) => {
            typed.value = value;
          }}
          onChange={({ currentTarget: { value } }) => void savePattern(value)}
        />
        <Note text={fault.value === undefined ? pattern.note : ""} />
      </Field>
    </section>
  );
}

function Look(): JSX.Element {
  const look = useSaving("theme");
  const spoken = useSaving("language");
  const unloaded = languageFailure.value;
  const failure = unloaded === undefined ? undefined : t("languageNotLoaded", { reason: messageOfFailure(unloaded) });
  return (
    <section class="card">
      <h2>{t("look")}</h2>
      <Field label={t("colours")} error={look.error}>
        <select value={theme.value} onChange={({ currentTarget: { value } }) => void look.save(value)}>
          <option value="auto">{t("auto")}</option>
          <option value="light">{t("light")}</option>
          <option value="dark">{t("dark")}</option>
        </select>
        <Note text={look.note} />
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
        <Note text={spoken.note} />
      </Field>
    </section>
  );
}
