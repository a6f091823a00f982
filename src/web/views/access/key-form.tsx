import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { isActivityClientError } from "../../../client/errors.js";
import type { KeyScope, NewClientKey } from "../../../client/index.js";
import { client } from "../../api.js";
import { ScopeEditor, WATCHER_BUCKETS } from "../../pairing/scope-editor.js";
import { Failure } from "../../parts/failure.js";
import { Field } from "../../parts/field.js";
import { t } from "../../texts/access.js";
import { common } from "../../texts/common.js";

const DAY_MILLIS = 86_400_000;
/** In days; 0 = never. */
const LIFETIMES = [0, 1, 30, 90, 365] as const;
const YEAR = 365;
const EMPTY = { name: "", scopes: [`append:${WATCHER_BUCKETS}`] as readonly string[], days: 0, origin: "" };

/** Creates a key. */
export function KeyForm({ onMade }: { readonly onMade: (key: NewClientKey) => void }): JSX.Element {
  const [draft, setDraft] = useState(EMPTY);
  const [error, setError] = useState<unknown>();
  const [isBusy, setIsBusy] = useState(false);
  const { name, scopes, days, origin } = draft;
  const change = (part: Partial<typeof EMPTY>): void => setDraft((before) => ({ ...before, ...part }));

  async function make(submit: Event): Promise<void> {
    submit.preventDefault();
    setIsBusy(true);
    setError(undefined);
    try {
      const expires = days === 0 ? null : new Date(Date.now() + days * DAY_MILLIS);
      onMade(await client.keys.add({ name, scopes: [...scopes] as KeyScope[], expires, origin: origin || null }));
      setDraft(EMPTY);
    } catch (thrown) {
      setError(thrown);
    }
    setIsBusy(false);
  }

  const wrong = wrongFieldOf(error);
  const problemAt = (field: Checked): string | undefined => (wrong === field ? t(`${field}Wrong`) : undefined);
  return (
    <form onSubmit={make}>
      <h3>{t("addKey")}</h3>
      <Field label={common("name")} hint={t("nameHint")} error={problemAt("name")}>
        <input
          value={name}
          required
          maxLength={64}
          autocomplete="off"
          spellcheck={false}
          onInput={({ currentTarget: { value } }) => change({ name: value })}
        />
      </Field>
      <ScopeEditor scopes={scopes} onChange={(changed) => change({ scopes: changed })} />
      <Field label={common("expires")}>
        <select value={days} onChange={({ currentTarget: { value } }) => change({ days: Number(value) })}>
          {LIFETIMES.map((value) => (
            <option key={value} value={value}>
              {describeLifetime(value)}
            </option>
          ))}
        </select>
      </Field>
      <Field label={t("origin")} hint={t("originHint")} error={problemAt("origin")}>
        <input
          value={origin}
          placeholder="https://example.org"
          onInput={({ currentTarget: { value } }) => change({ origin: value.trim() })}
        />
      </Field>
      {error !== undefined && <Failure title={common("unsaved")} error={error} />}
      <button type="submit" class="primary" disabled={isBusy}>
        {t("addTheKey")}
      </button>
    </form>
  );
}

/** Fields that only the server can validate. */
const CHECKED = ["name", "origin"] as const;
type Checked = (typeof CHECKED)[number];

function wrongFieldOf(error: unknown): Checked | undefined {
  if (!isActivityClientError(error) || error.status !== 400) return undefined;
  return CHECKED.find((field) => field === error.fault?.place?.field);
}

function describeLifetime(days: number): string {
  if (days === 0) return t("never");
  return days === YEAR ? t("expiresYear") : t("expiresDays", { count: days });
}
