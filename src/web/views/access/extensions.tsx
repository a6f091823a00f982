import type { JSX } from "preact";
import { client } from "../../api.js";
import { useLoad } from "../../load.js";
import { answered } from "../../pairing/questions.js";
import { Entry } from "./entry.js";
import { Listed, Removal } from "./listed.js";

/** Browser extensions that were decided about, and forgetting that. */
export function Extensions(): JSX.Element {
  const loaded = useLoad(`${answered.value}`, (signal) => client.extensions.list({ signal }));
  async function forget(origin: string): Promise<void> {
    await client.extensions.forget(origin);
    loaded.retry();
  }
  return (
    <Listed title="Browser extensions" hint="Extensions that asked whether they may report here." loaded={loaded}>
      {(extensions) => (
        <>
          {extensions.length === 0 && <p>None has been decided about.</p>}
          <ul class="entries">
            {extensions.map(({ origin, allowed }) => (
              <Entry key={origin} title={origin} facts={[["Reporting", allowed ? "Allowed" : "Refused"]]}>
                <Removal
                  action="Forget"
                  name={origin}
                  effect="It may report no more. When it tries, you are asked again."
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
