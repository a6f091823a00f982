import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { ClientEventsDeletion } from "../../client/index.js";
import { client } from "../api.js";
import { knownBuckets } from "../buckets.js";
import { formatDuration, formatMoment } from "../format.js";
import { CountedDialog } from "../parts/counted-dialog.js";
import { PermanentChoice } from "../parts/permanent-choice.js";
import type { Period } from "../period.js";
import { common } from "../texts/common.js";
import { t } from "../texts/deletion.js";
import { hostText, titleOf } from "../views/activity/names.js";
import { termsForEvents } from "./for-events.js";
import { lastAction } from "./notice.js";

export interface DeleteFoundProps {
  readonly filter: readonly string[];
  readonly period: Period;
  /** Hosts to search in; `undefined` for all. */
  readonly hosts: readonly string[] | undefined;
  readonly zone: string;
  /** Displayed results; `undefined` until known. */
  readonly shown: { readonly seconds: number; readonly events?: number } | undefined;
  /** Called after deleting events and after restoring them. */
  readonly onDone: () => void;
}

/** Deletes the results of a filter, after showing their number. */
export function DeleteFound(props: DeleteFoundProps): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  return (
    <>
      <button type="button" class="danger" onClick={() => setOpen(true)}>
        {common("askDelete")}
      </button>
      {isOpen && <Asking {...props} close={close} />}
    </>
  );
}

function Asking(props: DeleteFoundProps & { readonly close: () => void }): JSX.Element {
  const { filter, period, hosts, zone, shown, onDone, close } = props;
  const [permanent, setPermanent] = useState(false);
  const [isAllTime, setAllTime] = useState(false);
  const [isAllHosts, setAllHosts] = useState(false);
  const selection = {
    filter: [...termsForEvents(filter)],
    ...(!isAllTime && { start: new Date(period.start).toISOString(), end: new Date(period.end).toISOString() }),
    ...(hosts && !isAllHosts && { hosts: [...hosts] }),
  };
  const isShown = !isAllTime && !isAllHosts;
  const hasOthers = hosts !== undefined && knownBuckets.value.some(({ hostname }) => !hosts.includes(hostname));
  async function remove(): Promise<void> {
    // The server counts again; the notice shows the actual number.
    const { count, entry } = await client.events.deleteMatchingIn({ ...selection, permanent });
    const undo = async (kept: string): Promise<void> => {
      await client.trash.restore(kept);
      onDone();
    };
    const say = (): string => t(entry === null ? "doneForGood" : "done", { count });
    lastAction.value = { say, ...(entry === null ? {} : { entries: [entry], undo: () => undo(entry) }) };
    close();
    onDone();
  }
  return (
    <CountedDialog
      title={t("title")}
      choices={
        <>
          <Choice value={isAllTime} onChange={setAllTime} label={t("allTime", { period: titleOf(period) })} />
          {hasOthers && (
            <Choice
              value={isAllHosts}
              onChange={setAllHosts}
              label={t("allHosts", { host: hostText(hosts[0] ?? "") })}
            />
          )}
        </>
      }
      selection={JSON.stringify(selection)}
      count={(signal) => client.events.deleteMatchingIn({ ...selection, preview: true }, { signal })}
      isNothing={({ count }) => count === 0}
      nothing={t("nothing")}
      action={(counted) =>
        counted === undefined
          ? common("askDelete")
          : t(permanent ? "confirmForGood" : "confirm", { count: counted.count })
      }
      onConfirm={remove}
      onClose={close}
    >
      {(counted) => (
        <>
          <Selected {...{ counted, zone }} shown={isShown ? shown : undefined} />
          <PermanentChoice value={permanent} onChange={setPermanent} />
        </>
      )}
    </CountedDialog>
  );
}

interface ChoiceProps {
  readonly value: boolean;
  readonly onChange: (value: boolean) => void;
  readonly label: string;
}

function Choice({ value, onChange, label }: ChoiceProps): JSX.Element {
  return (
    <div class="field">
      <label>
        <input type="checkbox" checked={value} onChange={({ currentTarget: { checked } }) => onChange(checked)} />
        {label}
      </label>
    </div>
  );
}

interface SelectedProps extends Pick<DeleteFoundProps, "zone" | "shown"> {
  readonly counted: ClientEventsDeletion;
}

function Selected({ counted, zone, shown }: SelectedProps): JSX.Element {
  const { count, duration, first, last, buckets } = counted;
  const moment = (text: string | null): string => (text === null ? "" : formatMoment(Date.parse(text), zone));
  const length = formatDuration(duration);
  const isOfOne = buckets.length === 1;
  const active = shown && formatDuration(shown.seconds);
  const unseen = shown?.events === undefined ? 0 : count - shown.events;
  return (
    <>
      <p>{t(isOfOne ? "what" : "whatOfSeveral", { count, length, first: moment(first), last: moment(last) })}</p>
      {active !== undefined && !(isOfOne && active === length) && <p>{t("shownTime", { active })}</p>}
      {unseen > 0 && <p>{t("unseen", { count: unseen })}</p>}
      <ul>
        {buckets.map((bucket) => (
          <li key={bucket.bucket_id}>{t("inBucket", { count: bucket.count, bucket: bucket.bucket_id })}</li>
        ))}
      </ul>
      <p class="hint">{t("whole")}</p>
    </>
  );
}
