import type { JSX } from "preact";
import { useId, useState } from "preact/hooks";
import type { ClientMerging } from "../../../client/care-types.js";
import type { ClientBucket } from "../../../client/client-types.js";
import { client } from "../../api.js";
import { ConfirmDialog } from "../../parts/confirm-dialog.js";
import { Field } from "../../parts/field.js";
import { t } from "../../texts/care.js";
import { MergePreview } from "./merge-preview.js";
import { TargetField } from "./target-field.js";

const OVERLAPS = { "keep-both": "keepBoth", "cut-older": "cutOlder", "first-wins": "firstWins" } as const;
const REDIRECTS = { always: "redirectAlways", until: "redirectUntil", never: "redirectNever" } as const;

type Overlaps = keyof typeof OVERLAPS;
type Redirecting = keyof typeof REDIRECTS;

/** A bucket and what it becomes part of; `undefined` until that is chosen. */
export interface Pair {
  readonly from: string;
  readonly into: string | undefined;
}

/** What was done. */
export interface Merged {
  /** Buckets that are part of others now. */
  readonly count: number;
  /** What undoes it, in the order in which it was done. */
  readonly undos: readonly string[];
}

export interface MergeDialogProps {
  readonly pairs: readonly Pair[];
  readonly all: readonly ClientBucket[];
  readonly onClose: () => void;
  readonly onDone: (merged: Merged) => void;
}

/** Merges buckets into others, once it was seen what that changes. */
export function MergeDialog({ pairs, all, onClose, onDone }: MergeDialogProps): JSX.Element {
  const [chosen, setChosen] = useState("");
  const [overlaps, setOverlaps] = useState<Overlaps>("keep-both");
  const [redirecting, setRedirecting] = useState<Redirecting>("always");
  const [until, setUntil] = useState("");
  // Some are merged already when a later one fails.
  const [before, setBefore] = useState<readonly string[]>([]);
  const redirect = redirecting === "until" && until !== "" ? `${until}T00:00:00Z` : redirecting !== "never";
  const known = pairs.map(({ from, into = chosen }) => ({ from, into }));
  const open = known.slice(before.length).filter(({ into }) => into !== "");
  const first = pairs[0]?.from ?? "";
  const isChoice = pairs.some(({ into }) => into === undefined);

  async function merge({ from, into }: (typeof open)[number], preview: boolean, signal?: AbortSignal) {
    const merging = { from: [from], overlaps, redirect, preview };
    return client.identity.merge(into, merging, { timeoutMillis: Number.POSITIVE_INFINITY, ...(signal && { signal }) });
  }
  async function mergeAll(): Promise<void> {
    let undos = before;
    for (const pair of open) {
      const { undo } = await merge(pair, false);
      undos = [...undos, undo ?? ""];
      setBefore(undos);
    }
    onDone({ count: undos.length, undos: undos.filter((undo) => undo !== "") });
  }
  function leave(): void {
    if (before.length === 0) onClose();
    else onDone({ count: before.length, undos: before.filter((undo) => undo !== "") });
  }
  return (
    <ConfirmDialog
      title={isChoice ? t("mergeTitle", { id: first }) : t("merge")}
      action={t("merge")}
      isDanger={false}
      onConfirm={mergeAll}
      onClose={leave}
    >
      {isChoice && <TargetField from={first} all={all} value={chosen} onChange={setChosen} />}
      <OverlapsField value={overlaps} onChange={setOverlaps} />
      <Field label={t("redirect")}>
        <select value={redirecting} onChange={({ currentTarget: { value } }) => setRedirecting(value as Redirecting)}>
          {Object.entries(REDIRECTS).map(([one, label]) => (
            <option key={one} value={one}>
              {t(label)}
            </option>
          ))}
        </select>
      </Field>
      {redirecting === "until" && (
        <Field label={t("until")}>
          <input type="date" value={until} required onInput={({ currentTarget: { value } }) => setUntil(value)} />
        </Field>
      )}
      {open.length > 0 && (
        <MergePreview
          what={JSON.stringify([open, overlaps, redirect])}
          ask={(signal): Promise<ClientMerging[]> => Promise.all(open.map((pair) => merge(pair, true, signal)))}
        />
      )}
    </ConfirmDialog>
  );
}

interface OverlapsFieldProps {
  readonly value: Overlaps;
  readonly onChange: (value: Overlaps) => void;
}

function OverlapsField({ value, onChange }: OverlapsFieldProps): JSX.Element {
  const name = useId();
  return (
    <fieldset class="choices">
      <legend>{t("overlaps")}</legend>
      {Object.entries(OVERLAPS).map(([one, label]) => (
        <label key={one}>
          <input type="radio" name={name} checked={one === value} onChange={() => onChange(one as Overlaps)} />
          <span>
            {t(label)} <span class="quiet">{t(`${label}Hint`)}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
