import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { BucketChanges, ClientBucket } from "../../../client/index.js";
import { Dialog } from "../../parts/dialog.js";
import { Field } from "../../parts/field.js";
import { SaveActions } from "../../parts/save-actions.js";
import { t } from "../../texts/bucket.js";
import { t as buckets } from "../../texts/buckets.js";
import { common } from "../../texts/common.js";
import { t as shell } from "../../texts/shell.js";
import { readData } from "./event-form.js";

/** Fields and their texts. */
const TEXTS = [
  ["name", "name"],
  ["type", "type"],
  ["client", "client"],
  ["hostname", "host"],
] as const;

export interface BucketDialogProps {
  readonly bucket: ClientBucket;
  /** Stores the changed fields; errors are shown. */
  readonly onSave: (changes: BucketChanges) => Promise<void>;
  readonly onClose: () => void;
}

/** Edits the metadata of a bucket. */
export function BucketDialog({ bucket, onSave, onClose }: BucketDialogProps): JSX.Element {
  const [texts, setTexts] = useState(() => ({
    name: bucket.name ?? "",
    type: bucket.type,
    client: bucket.client,
    hostname: bucket.hostname,
  }));
  const [initial] = useState(() => JSON.stringify(bucket.data, undefined, 2));
  const [data, setData] = useState(initial);
  const [isRefused, setIsRefused] = useState(false);
  const [error, setError] = useState<unknown>();
  const [isSaving, setIsSaving] = useState(false);

  async function save(submit: Event): Promise<void> {
    submit.preventDefault();
    const read = readData(data);
    if (typeof read === "string") return setIsRefused(true);
    setIsSaving(true);
    setError(undefined);
    const changed = TEXTS.filter(([field]) => texts[field] !== (bucket[field] ?? ""));
    try {
      await onSave({
        ...Object.fromEntries(changed.map(([field]) => [field, texts[field]])),
        ...(data !== initial && { data: read }),
      });
    } catch (thrown) {
      setError(thrown);
      setIsSaving(false);
    }
  }

  const read = isRefused ? readData(data) : undefined;
  const problem = typeof read === "string" ? read : undefined;
  return (
    <Dialog title={t("editBucket")} onClose={onClose}>
      <form onSubmit={save}>
        {TEXTS.map(([field, label]) => (
          <Field key={field} label={buckets(label)}>
            <input
              type="text"
              value={texts[field]}
              autocomplete="off"
              onInput={({ currentTarget }) => setTexts((before) => ({ ...before, [field]: currentTarget.value }))}
            />
          </Field>
        ))}
        <p class="hint">{t("bucketHint")}</p>
        <Field label={shell("data")} hint={common("jsonObject")} error={problem}>
          <textarea
            class="code"
            rows={4}
            spellcheck={false}
            value={data}
            onInput={({ currentTarget }) => {
              setData(currentTarget.value);
              setIsRefused(false);
            }}
          />
        </Field>
        <SaveActions error={error} isBusy={isSaving} onClose={onClose} />
      </form>
    </Dialog>
  );
}
