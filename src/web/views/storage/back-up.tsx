import type { JSX } from "preact";
import { isKeyGiven } from "../../api.js";
import { hasCommand } from "../../flags.js";
import { formatBytes } from "../../format.js";
import { useMachine } from "../../machine.js";
import { OwnCommand } from "../../parts/own-command.js";
import { session } from "../../session.js";
import { t } from "../../texts/storage.js";
import { ExportLink } from "../buckets/export-link.js";

/** The size of the data, and a backup of them: only credentials allow a download. */
export function BackUp(): JSX.Element | null {
  const bytes = useMachine()?.bytes ?? undefined;
  const mayDownload = isKeyGiven.value || session.value?.signed_in === true;
  if (!mayDownload && !hasCommand) return null;
  return (
    <section class="card">
      <h2>{t("backup")}</h2>
      {bytes !== undefined && <p>{t("size", { size: formatBytes(bytes) })}</p>}
      <p>{t(mayDownload ? "backupWhat" : "backupHow")}</p>
      {mayDownload ? (
        <ExportLink path="api/0/storage/backup" label={t("backUp")}>
          {t("backUp")}
        </ExportLink>
      ) : (
        <>
          <OwnCommand label={t("backUp")} text="activity-server backup --to backup.jsonl.gz" />
          <OwnCommand label={t("signIn")} text="activity-server open" />
        </>
      )}
    </section>
  );
}
