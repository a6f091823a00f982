import type { JSX } from "preact";
import { knownBuckets } from "../buckets.js";

/** What a scope lets its key do, and how the page says it. */
const VERBS: readonly (readonly [verb: string, label: string])[] = [
  ["append", "append: add events"],
  ["read", "read: see everything"],
  ["write", "write: see, change and delete"],
  ["admin", "admin: everything, keys too"],
];

export interface ScopeEditorProps {
  readonly scopes: readonly string[];
  readonly onChange: (scopes: readonly string[]) => void;
}

/** What a key opens: scopes of docs/keys.md#scopes, one a line. */
export function ScopeEditor({ scopes, onChange }: ScopeEditorProps): JSX.Element {
  const put = (index: number, ...scope: readonly string[]): void =>
    onChange([...scopes.slice(0, index), ...scope, ...scopes.slice(index + 1)]);
  return (
    <fieldset class="scopes">
      <legend class="field-label">Scopes</legend>
      {scopes.map((scope, index) => {
        const colon = scope.indexOf(":");
        const [verb, glob] = colon < 0 ? [scope, ""] : [scope.slice(0, colon), scope.slice(colon + 1)];
        const number = index + 1;
        return (
          <div key={index} class="scope">
            <select
              aria-label={`Scope ${number}`}
              value={verb}
              onChange={({ currentTarget: { value } }) =>
                put(index, value === "admin" ? value : `${value}:${glob || "*"}`)
              }
            >
              {VERBS.map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
            {colon >= 0 && (
              <input
                aria-label={`Buckets of scope ${number}`}
                value={glob}
                list="bucket-ids"
                required
                autocomplete="off"
                spellcheck={false}
                onInput={({ currentTarget: { value } }) => put(index, `${verb}:${value}`)}
              />
            )}
            {scopes.length > 1 && (
              <button type="button" aria-label={`Remove scope ${number}`} onClick={() => put(index)}>
                Remove
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
        Add a scope
      </button>
      <p class="hint">
        A bucket id, in which <code>*</code> stands for any text: <code>aw-watcher-*</code>. Watchers need append only.
      </p>
    </fieldset>
  );
}
