import type { JSX } from "preact";
import { DISCLOSURES } from "../../domain/key-scope.js";
import { knownBuckets } from "../buckets.js";
import { t } from "../texts/pairing.js";

/** Permissions of a scope. */
const VERBS = ["append", "read", "write", "admin", "assistant"] as const;
/** The suggested pattern of a new key, which suits watchers. */
export const WATCHER_BUCKETS = "aw-watcher-*";
const EVERY_BUCKET = "*";

/** The scope after the choice of another permission. */
function changeVerb(verb: string, glob: string, wasAssistant: boolean): string {
  if (verb === "admin") return verb;
  if (verb === "assistant") return `${verb}:${DISCLOSURES[0]}`;
  const isChosen = glob !== "" && !wasAssistant && !(verb === "read" && glob === WATCHER_BUCKETS);
  return `${verb}:${isChosen ? glob : EVERY_BUCKET}`;
}

export interface ScopeEditorProps {
  readonly scopes: readonly string[];
  readonly onChange: (scopes: readonly string[]) => void;
}

/** Edits the scopes of a key, one per line (docs/reference/keys.md#scopes). */
export function ScopeEditor({ scopes, onChange }: ScopeEditorProps): JSX.Element {
  const put = (index: number, ...scope: readonly string[]): void =>
    onChange([...scopes.slice(0, index), ...scope, ...scopes.slice(index + 1)]);
  return (
    <fieldset class="scopes">
      <legend class="field-label">{t("scopes")}</legend>
      {scopes.map((scope, index) => {
        const colon = scope.indexOf(":");
        const [verb, glob] = colon < 0 ? [scope, ""] : [scope.slice(0, colon), scope.slice(colon + 1)];
        const number = index + 1;
        return (
          <div key={index} class="scope">
            <select
              aria-label={t("scope", { number })}
              value={verb}
              onChange={({ currentTarget: { value } }) => put(index, changeVerb(value, glob, verb === "assistant"))}
            >
              {VERBS.map((value) => (
                <option key={value} value={value}>
                  {t(value)}
                </option>
              ))}
            </select>
            {verb === "assistant" && (
              <select
                aria-label={t("levelOfScope", { number })}
                value={glob}
                onChange={({ currentTarget: { value } }) => put(index, `${verb}:${value}`)}
              >
                {DISCLOSURES.map((level) => (
                  <option key={level} value={level}>
                    {t(level)}
                  </option>
                ))}
              </select>
            )}
            {colon >= 0 && verb !== "assistant" && (
              <input
                aria-label={t("bucketsOfScope", { number })}
                value={glob}
                list="bucket-ids"
                required
                autocomplete="off"
                spellcheck={false}
                onInput={({ currentTarget: { value } }) => put(index, `${verb}:${value}`)}
              />
            )}
            {scopes.length > 1 && (
              <button type="button" aria-label={t("removeScope", { number })} onClick={() => put(index)}>
                {t("remove")}
              </button>
            )}
          </div>
        );
      })}
      <datalist id="bucket-ids">
        {knownBuckets.value.map(({ id }) => (
          <option key={id} value={id} />
        ))}
      </datalist>
      <button type="button" onClick={() => onChange([...scopes, "read:*"])}>
        {t("addScope")}
      </button>
      <p class="hint">
        {t.rich("globHint", { star: <code>*</code>, example: <code dir="ltr">{WATCHER_BUCKETS}</code> })}
      </p>
      {scopes.some((scope) => scope.startsWith("assistant:")) && <p class="hint">{t("assistantHint")}</p>}
    </fieldset>
  );
}
