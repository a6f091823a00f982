import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { ClientKey, NewClientKey } from "../../../client/index.js";
import { client } from "../../api.js";
import { useLoad } from "../../load.js";
import { answered } from "../../pairing/requests.js";
import { Command } from "../../parts/command.js";
import { t } from "../../texts/access.js";
import { common } from "../../texts/common.js";
import { Entry, lastUse, moment } from "./entry.js";
import { KeyForm } from "./key-form.js";
import { Listed, Removal } from "./listed.js";

function isOver({ revoked, expires }: ClientKey): boolean {
  return revoked !== null || (expires !== null && Date.parse(expires) <= Date.now());
}

/** Lists, creates and revokes keys. */
export function Keys(): JSX.Element {
  const loaded = useLoad(`${answered.value}`, (signal) => client.keys.list({ signal }));
  const [made, setMade] = useState<NewClientKey>();

  async function revoke(name: string): Promise<void> {
    await client.keys.revoke(name);
    setMade((shown) => (shown?.name === name ? undefined : shown));
    loaded.retry();
  }
  function show(key: NewClientKey): void {
    setMade(key);
    loaded.retry();
  }

  return (
    <Listed title={t("keys")} hint={t("keysHint")} loaded={loaded}>
      {(keys) => {
        const over = keys.filter(isOver);
        return (
          <>
            {made !== undefined && <Made key={made.key} made={made} onClose={() => setMade(undefined)} />}
            {over.length === keys.length && <p>{t("noKeys")}</p>}
            <ul class="entries">
              {keys.map(
                (key) =>
                  !isOver(key) && (
                    <KeyEntry key={key.name} of={key}>
                      <Removal
                        action={t("revoke")}
                        name={key.name}
                        effect={t("revokeEffect")}
                        onRemove={() => revoke(key.name)}
                      />
                    </KeyEntry>
                  ),
              )}
            </ul>
            {over.length > 0 && (
              <details>
                <summary>{t("over", { number: over.length })}</summary>
                <ul class="entries">
                  {over.map((key) => (
                    <KeyEntry key={key.name} of={key} />
                  ))}
                </ul>
              </details>
            )}
            <KeyForm onMade={show} />
          </>
        );
      }}
    </Listed>
  );
}

function KeyEntry({
  of: key,
  children,
}: {
  readonly of: ClientKey;
  readonly children?: ComponentChildren;
}): JSX.Element {
  const { name, scopes, created, expires, origin, revoked, last_used: used, last_used_from: from } = key;
  return (
    <Entry
      title={name}
      facts={[
        [t("scopes"), scopes.map((scope) => <code key={scope}>{scope}</code>)],
        [common("created"), moment(created, "")],
        revoked === null ? [common("expires"), moment(expires, t("never"))] : [t("revoked"), moment(revoked, "")],
        [t("origin"), origin ?? t("anyOrigin")],
        [t("lastUsed"), lastUse(used, from)],
      ]}
    >
      {children}
    </Entry>
  );
}

/** Shows a new key once. */
function Made({ made, onClose }: { readonly made: NewClientKey; readonly onClose: () => void }): JSX.Element {
  const box = useRef<HTMLElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <section class="notice" aria-label={t("newKey")} tabIndex={-1} ref={box}>
      <p>
        <strong>{t("shownOnce", { name: made.name })}</strong> {t("shownOnceHint")}
      </p>
      <Command label={t("newKeyLabel")} text={made.key} />
      <button type="button" onClick={onClose}>
        {t("iHaveCopied")}
      </button>
    </section>
  );
}
