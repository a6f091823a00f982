import type { JSX, TargetedEvent } from "preact";
import { useRef, useState } from "preact/hooks";
import type { ClientBucketAccess } from "../../../client/index.js";
import { client, describeFailure, isReachable } from "../../api.js";
import { FieldError } from "../../parts/field.js";
import { useSaving } from "../../parts/saving.js";
import { recoveries } from "../../recoveries.js";
import { t } from "../../texts/buckets.js";
import { useVisible } from "./visible.js";

/** Texts of the choices; with the suffix `Means`, their effect for callers without an admin key. */
const CHOICES = {
  open: "open",
  "append-only": "appendOnly",
  "read-only": "readOnly",
} as const satisfies Readonly<Record<ClientBucketAccess, string>>;
const ACCESS = Object.keys(CHOICES) as readonly ClientBucketAccess[];

export interface AccessSelectProps {
  readonly bucketId: string;
  /** Whether to show an explanation. */
  readonly isExplained?: boolean;
}

/** Shows and changes the access of a bucket, loaded when visible. Set a `key` per bucket. */
export function AccessSelect({ bucketId, isExplained }: AccessSelectProps): JSX.Element {
  const [access, setAccess] = useState<ClientBucketAccess>();
  const saving = useSaving();
  const [unread, setUnread] = useState<unknown>();
  const isAsked = useRef(false);

  async function load(): Promise<void> {
    if (isAsked.current) return;
    isAsked.current = true;
    try {
      setAccess(await client.buckets.getAccess(bucketId));
      setUnread(undefined);
    } catch (thrown) {
      isAsked.current = false;
      setUnread(thrown);
    }
  }
  async function change({ currentTarget: { value } }: TargetedEvent<HTMLSelectElement>): Promise<void> {
    const before = access;
    const chosen = ACCESS.find((one) => one === value);
    if (chosen === undefined) return;
    setAccess(chosen);
    if (!(await saving.save(() => client.buckets.setAccess(bucketId, chosen)))) setAccess(before);
  }

  const reason = isReachable.value ? describeFailure(unread) : undefined;
  const error = unread === undefined ? saving.error : reason;
  const place = useVisible<HTMLDivElement>(`${recoveries.value}`, load);
  return (
    <div class="access" ref={place}>
      <select
        aria-label={t("accessOf", { id: bucketId })}
        value={access ?? ""}
        disabled={access === undefined}
        onChange={change}
      >
        {access === undefined && <option value="">…</option>}
        {ACCESS.map((one) => (
          <option key={one} value={one}>
            {t(CHOICES[one])}
          </option>
        ))}
      </select>
      <span class="hint" role="status">
        {saving.note}
      </span>
      {isExplained && access !== undefined && <p class="hint">{t(`${CHOICES[access]}Means`)}</p>}
      <FieldError text={error} />
    </div>
  );
}
