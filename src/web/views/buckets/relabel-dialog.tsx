import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { ClientRelabelling } from "../../../client/index.js";
import { client } from "../../api.js";
import { knownBuckets, reloadBuckets } from "../../buckets.js";
import { useLoad } from "../../load.js";
import { ConfirmDialog } from "../../parts/confirm-dialog.js";
import { Failure } from "../../parts/failure.js";
import { Field } from "../../parts/field.js";
import { t } from "../../texts/care.js";
import { common } from "../../texts/common.js";
import { type Joined, NOTHING_JOINED, type Pair, planJoin, previewJoin, runJoin, undoIds } from "./joining.js";
import { MergePreview } from "./merge-preview.js";
import { type Overlaps, OverlapsField } from "./overlaps-field.js";
import { ALWAYS_REDIRECTING, RedirectField, type RedirectLabels, redirectOf } from "./redirect-field.js";

const REDIRECTS: RedirectLabels = { always: "redirectToNew", until: "redirectToNewUntil", never: "redirectNever" };

/** A host with all its buckets, or one bucket. */
export type Relabelled = { readonly host: string } | { readonly bucketId: string };

export interface RelabelDialogProps {
  readonly of: Relabelled;
  readonly hosts: readonly string[];
  readonly onClose: () => void;
  readonly onDone: (done: Joined) => void;
}

/** Renames a host or a bucket, after a preview. Merges buckets whose new IDs exist. */
export function RelabelDialog({ of, hosts, onClose, onDone }: RelabelDialogProps): JSX.Element {
  const before = "host" in of ? of.host : of.bucketId;
  const [to, setTo] = useState("host" in of ? "" : before);
  const [withIds, setWithIds] = useState(true);
  const [redirecting, setRedirecting] = useState(ALWAYS_REDIRECTING);
  const [overlaps, setOverlaps] = useState<Overlaps>("keep-both");
  // Steps completed before a failure.
  const [joined, setJoined] = useState(NOTHING_JOINED);
  const [next, setNext] = useState<Pair>();
  const redirect = redirectOf(redirecting);
  const target = to.trim();
  const isChange = target !== "" && target !== before;
  const way = { host: before, to: target, withIds, overlaps, redirect };
  const plan = planJoin("host" in of && isChange ? knownBuckets.value : [], way);
  const isMerge = plan.merges.length > 0;

  function ask(preview: boolean, signal?: AbortSignal): Promise<ClientRelabelling> {
    if ("bucketId" in of) return client.identity.rename(of.bucketId, { to: target, redirect, preview }, { signal });
    const renaming = { to: target, rename_buckets: withIds, redirect, preview };
    return client.identity.renameHost(of.host, renaming, { signal });
  }
  async function relabel(): Promise<void> {
    if (!isChange) return leave();
    if ("bucketId" in of) {
      const done = await ask(false);
      return onDone({ merged: 0, renamed: done.buckets.length, undos: undoIds(done) });
    }
    try {
      const done = await runJoin(plan, way, joined, (sofar, step) => {
        setJoined(sofar);
        setNext(step);
      });
      onDone(done);
    } catch (error) {
      setNext(undefined);
      // Shows the remaining steps, which a retry runs.
      await reloadBuckets();
      throw error;
    }
  }
  function leave(): void {
    if (joined === NOTHING_JOINED) onClose();
    else onDone(joined);
  }

  return (
    <ConfirmDialog
      title={"host" in of ? t("renameHostOf", { host: before }) : t("renameOf", { id: before })}
      action={t(isMerge ? "join" : "rename")}
      isDanger={false}
      onConfirm={relabel}
      onClose={leave}
    >
      <Field label={t("host" in of ? "newHost" : "newId")} {...("host" in of && { hint: t("newHostHint") })}>
        <input
          value={to}
          required
          list={"host" in of ? "host-names" : undefined}
          autocomplete="off"
          onFocus={({ currentTarget }) => currentTarget.select()}
          spellcheck={false}
          onInput={({ currentTarget: { value } }) => setTo(value)}
        />
      </Field>
      <datalist id="host-names">
        {hosts
          .filter((host) => host !== before)
          .map((host) => (
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
      <RedirectField labels={REDIRECTS} hint={t("redirectHint")} value={redirecting} onChange={setRedirecting} />
      {isMerge && <OverlapsField value={overlaps} onChange={setOverlaps} />}
      {isMerge && (
        <MergePreview
          what={JSON.stringify([plan, overlaps, redirect])}
          ask={async (signal) => {
            await afterTyping(signal);
            return previewJoin(plan, way, signal);
          }}
        >
          <Renames pairs={plan.renames} host={target} />
        </MergePreview>
      )}
      {isChange && !isMerge && <Preview key={before} what={JSON.stringify([target, withIds, redirect])} ask={ask} />}
      {next && <p role="status">{t("joinStep", next)}</p>}
      {joined !== NOTHING_JOINED && next === undefined && (
        <p role="status">{t("joinedSoFar", { merged: joined.merged, renamed: joined.renamed })}</p>
      )}
    </ConfirmDialog>
  );
}

/** Delay after typing before the preview is loaded. */
const PAUSE_MILLIS = 250;

async function afterTyping(signal: AbortSignal): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLIS));
  signal.throwIfAborted();
}

interface RenamesProps {
  readonly pairs: readonly Pair[];
  readonly host: string;
}

/** Buckets of a host that are relabeled while others are merged. */
function Renames({ pairs, host }: RenamesProps): JSX.Element | null {
  if (pairs.length === 0) return null;
  return (
    <>
      <p>{t("joinRest", { host })}</p>
      <ul>
        {pairs.map((pair) => (
          <li key={pair.from}>{pair.from === pair.into ? pair.from : t("pair", pair)}</li>
        ))}
      </ul>
    </>
  );
}

interface PreviewProps {
  /** Identifies everything that the preview depends on. */
  readonly what: string;
  readonly ask: (preview: true, signal: AbortSignal) => Promise<ClientRelabelling>;
}

function Preview({ what, ask }: PreviewProps): JSX.Element {
  const loaded = useLoad(what, async (signal) => {
    await afterTyping(signal);
    return ask(true, signal);
  });
  if (loaded.state === "failed") return <Failure title={common("couldNotDo")} error={loaded.error} />;
  const changed = loaded.state === "ready" ? loaded.value.buckets : (loaded.before?.buckets ?? []);
  return (
    <section class="bucket-preview" aria-label={t("willChange")} aria-busy={loaded.state === "loading"}>
      <h3>{t("willChange")}</h3>
      {changed.length === 0 && loaded.state === "ready" && <p>{t("nothing")}</p>}
      <ul>
        {changed.map(({ from, to, old_hostname: oldHost, hostname, events }) => (
          <li key={from}>
            {from === to ? from : t("pair", { from, into: to })}
            <span class="quiet"> {describeEvents(oldHost, hostname, events)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function describeEvents(from: string, into: string, count: number): string {
  const events = common("eventCount", { count });
  return from === into ? events : t("hostAndEvents", { from, into, events });
}
