import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { ClientRelabelling } from "../../../client/care-types.js";
import { client } from "../../api.js";
import { formatCount } from "../../format.js";
import { useLoad } from "../../load.js";
import { ConfirmDialog } from "../../parts/confirm-dialog.js";
import { Failure } from "../../parts/failure.js";
import { Field } from "../../parts/field.js";
import { Clashes } from "./clashes.js";
import type { Pair } from "./merge-dialog.js";

const texts = {
  renameBucket: (id: string) => `Rename ${id}`,
  renameHost: (host: string) => `Rename the host ${host}`,
  newId: "New id",
  newHost: "New host name",
  newHostHint: "With the name of another host, both are one from then on.",
  ids: (host: string) => `Rename the ids that end in _${host}, too`,
  redirect: "Reports to the old ids",
  redirectHint: "Watchers that were not told go on to report to the old ids.",
  redirects: { always: "go to the new ones", until: "go to the new ones until", never: "make new buckets" },
  until: "Until",
  change: "Rename",
  preview: "What will change",
  nothing: "Nothing would change.",
  noPreview: "This is not possible.",
  events: (count: string) => `${count} events`,
  host: (before: string, after: string) => `host ${before} → ${after}`,
};

type Redirecting = keyof typeof texts.redirects;

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
      title={"host" in of ? texts.renameHost(before) : texts.renameBucket(before)}
      action={texts.change}
      isDanger={false}
      onConfirm={async () => (isChange ? onDone(await ask(false)) : onClose())}
      onClose={onClose}
    >
      <Field label={"host" in of ? texts.newHost : texts.newId} {...("host" in of && { hint: texts.newHostHint })}>
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
            {texts.ids(before)}
          </label>
        </p>
      )}
      <Field label={texts.redirect} hint={texts.redirectHint}>
        <select value={redirecting} onChange={({ currentTarget: { value } }) => setRedirecting(value as Redirecting)}>
          {(Object.keys(texts.redirects) as Redirecting[]).map((one) => (
            <option key={one} value={one}>
              {texts.redirects[one]}
            </option>
          ))}
        </select>
      </Field>
      {redirecting === "until" && (
        <Field label={texts.until}>
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
  if (loaded.state === "failed") return <Failure title={texts.noPreview} error={loaded.error} />;
  const changed = loaded.state === "ready" ? loaded.value.buckets : (loaded.before?.buckets ?? []);
  return (
    <section class="bucket-preview" aria-label={texts.preview} aria-busy={loaded.state === "loading"}>
      <h3>{texts.preview}</h3>
      {changed.length === 0 && loaded.state === "ready" && <p>{texts.nothing}</p>}
      <ul>
        {changed.map(({ from, to, old_hostname: oldHost, hostname, events }) => (
          <li key={from}>
            {from === to ? from : `${from} → ${to}`}
            <span class="quiet">
              {" "}
              {oldHost !== hostname && `${texts.host(oldHost, hostname)}, `}
              {texts.events(formatCount(events))}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
