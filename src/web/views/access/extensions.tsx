import type { JSX } from "preact";
import { client } from "../../api.js";
import { useLoad } from "../../load.js";
import { answered } from "../../pairing/requests.js";
import { session } from "../../session.js";
import { t } from "../../texts/access.js";
import { Entry } from "./entry.js";
import { Listed, Removal } from "./listed.js";

/** Browser extensions with a decision, which can be removed. */
export function Extensions(): JSX.Element {
  const loaded = useLoad(`${answered.value}`, (signal) => client.extensions.list({ signal }));
  async function forget(origin: string): Promise<void> {
    await client.extensions.forget(origin);
    loaded.retry();
  }
  return (
    <Listed title={t("extensions")} hint={t("extensionsHint")} loaded={loaded}>
      {(extensions) => (
        <>
          {extensions.length === 0 && <p>{t("noExtensions")}</p>}
          <ul class="entries">
            {extensions.map(({ origin, allowed }) => (
              <Entry key={origin} title={origin} facts={[[t("reporting"), describeDecision(allowed)]]}>
                <Removal
                  action={t("forget")}
                  name={origin}
                  effect={t("forgetEffect")}
                  onRemove={() => forget(origin)}
                />
              </Entry>
            ))}
          </ul>
        </>
      )}
    </Listed>
  );
}

/** An origin proves nothing, so that an extension needs a key if the server requires keys. */
function describeDecision(allowed: boolean): string {
  if (!allowed) return t("refused");
  return session.value?.required ? t("allowedWithKey") : t("allowed");
}
