import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { ClientRelabelling } from "../../../client/care-types.js";
import { client } from "../../api.js";
import { useLoad } from "../../load.js";
import { ConfirmDialog } from "../../parts/confirm-dialog.js";
import { Failure } from "../../parts/failure.js";
import { Field } from "../../parts/field.js";
import { t as buckets } from "../../texts/buckets.js";
import { t } from "../../texts/care.js";
import { Clashes } from "./clashes.js";
import type { Pair } from "./merge-dialog.js";

const REDIRECTS = { always: "redirectToNew", until: "redirectToNewUntil", never: "redirectNever" } as const;

type Redirecting = keyof typeof REDIRECTS;

/** What gets another name: a host with all its buckets, or one bucket. */
export type Relabelled = { readonly host: string } | { readonly bucketId: string };

export interface RelabelDialogProps {
  readonly of: Relabelled;
  readonly hosts: readonly string[];
  readonly onClose: () => void;
  readonly onDone: (done: ClientRelabelling) => void;
  /** Merges buckets whose ids stand in the way. */
  readonly onMerge: (pairs: readonly Pair[]) => void;
}

/** Renames a host or a bucket, once it was seen what that changes. */
export function RelabelDialog({ of, hosts, onClose, onDone, onMerge }: RelabelDialogProps): JSX.Element {
  const before = "host" in of ? of.host : of.bucketId;
  const [to, setTo] = useState(before);
  const [withIds, setWithIds] = useState(true);
  const [redirecting, setRedirecting] = useState<Redirecting>("always");
  const [until, setUntil] = useState("");
  const redirect = redirecting === "until" && until !== "" ? `${until}T00:00:00Z` : redirecting !== "never";
  const target = to.trim();
  const isChange = target !== "" && target !== before;

  function ask(preview: boolean, signal?: AbortSignal): Promise<ClientRelabelling> {
    if ("bucketId" in of) return client.identity.rename(of.bucketId, { to: target, redirect, preview }, { signal });
    const renaming = { to: target, rename_buckets: withIds, redirect, preview };
    return client.identity.renameHost(of.host, renaming, { signal });
  }

  return (
    <ConfirmDialog
      title={"host" in of ? t("renameHostOf", { host: before }) : t("renameOf", { id: before })}
      action={t("rename")}
      isDanger={false}
      onConfirm={async () => (isChange ? onDone(await ask(false)) : onClose())}
      onClose={onClose}
    >
      <Field label={t("host" in of ? "newHost" : "newId")} {...("host" in of && { hint: t("newHostHint") })}>
        <input
          value={to}
          required
          list={"host" in of ? "host-names" : undefined}
          autocomplete="off"
          spellcheck={false}
          onInput={({ currentTarget: { value } }) => setTo(value)}
        />
      </Field>
      <datalist id="host-names">
        {hosts.map((host) => (
          <option key={host} value={host} />
        ))}
      </datalist>
      {"host" in of && (
        <p>
          <label>
            <input
              type="checkbox"
              checked={withIds}
              onChange={({ currentTarget: { checked } }) => setWithIds(checked)}
            />
            {t("renameIds", { end: `_${before}` })}
          </label>
        </p>
      )}
      <Field label={t("redirect")} hint={t("redirectHint")}>
        <select value={redirecting} onChange={({ currentTarget: { value } }) => setRedirecting(value as Redirecting)}>
          {(Object.keys(REDIRECTS) as Redirecting[]).map((one) => (
            <option key={one} value={one}>
              {t(REDIRECTS[one])}
            </option>
          ))}
        </select>
      </Field>
      {redirecting === "until" && (
        <Field label={t("until")}>
          <input type="date" value={until} required onInput={({ currentTarget: { value } }) => setUntil(value)} />
        </Field>
      )}
      {"host" in of && withIds && isChange && <Clashes from={of.host} to={target} onMerge={onMerge} />}
      {isChange && <Preview key={before} what={JSON.stringify([target, withIds, redirect])} ask={ask} />}
    </ConfirmDialog>
  );
}

/** So long nobody must type before the server is asked. */
const PAUSE_MILLIS = 250;

interface PreviewProps {
  /** Says all that the preview depends on. */
  readonly what: string;
  readonly ask: (preview: true, signal: AbortSignal) => Promise<ClientRelabelling>;
}

function Preview({ what, ask }: PreviewProps): JSX.Element {
  const loaded = useLoad(what, async (signal) => {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLIS));
    signal.throwIfAborted();
    return ask(true, signal);
  });
  if (loaded.state === "failed") return <Failure title={t("notPossible")} error={loaded.error} />;
  const changed = loaded.state === "ready" ? loaded.value.buckets : (loaded.before?.buckets ?? []);
  return (
    <section class="bucket-preview" aria-label={t("willChange")} aria-busy={loaded.state === "loading"}>
      <h3>{t("willChange")}</h3>
      {changed.length === 0 && loaded.state === "ready" && <p>{t("nothing")}</p>}
      <ul>
        {changed.map(({ from, to, old_hostname: oldHost, hostname, events }) => (
          <li key={from}>
            {from === to ? from : t("pair", { from, into: to })}
            <span class="quiet"> {extentOf(oldHost, hostname, events)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function extentOf(from: string, into: string, count: number): string {
  const events = buckets("numberOfEvents", { count });
  return from === into ? events : t("hostAndEvents", { from, into, events });
}
