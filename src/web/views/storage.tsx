import type { JSX } from "preact";
import { client } from "../api.js";
import { formatBytes, formatMoment, formatShare } from "../format.js";
import { shownValue, useLoad } from "../load.js";
import { Busy } from "../parts/busy.js";
import { Fact } from "../parts/fact.js";
import { Failure } from "../parts/failure.js";
import { OwnCommand } from "../parts/own-command.js";
import { href } from "../router.js";
import { zone } from "../settings.js";
import { common } from "../texts/common.js";
import { t as shell } from "../texts/shell.js";
import { t } from "../texts/storage.js";
import { trashSum } from "./data/trash-sum.js";
import { BackUp } from "./storage/back-up.js";
import { type DiskUse, diskUseOf, type StorageState } from "./storage/state.js";

const STATES = { ok: "ok", "read-only": "readOnly", degraded: "degraded" } as const;
const SURVIVES = { nothing: "nothing", "process-crash": "processCrash", "power-loss": "powerLoss" } as const;

/** The state of the storage. */
export default function StorageView(): JSX.Element {
  const loaded = useLoad("", async (signal) => {
    // The trash may not be permitted.
    const trash = client.trash.list({ signal }).catch(() => undefined);
    return { health: await client.health({ signal }), trash: await trash };
  });
  const { health, trash } = shownValue(loaded) ?? {};
  const storage = health?.storage;
  return (
    <div class="data-view">
      <header class="view-head">
        <h1>{shell("storage")}</h1>
        <p class="quiet">{t("intro")}</p>
        <button type="button" onClick={loaded.retry}>
          {common("refresh")}
        </button>
      </header>
      {loaded.state === "failed" && <Failure title={common("notLoaded")} error={loaded.error} retry={loaded.retry} />}
      {health === undefined && loaded.state === "loading" && <Busy />}
      {health !== undefined && (
        <section class="card" aria-label={common("state")}>
          <p class={health.status === "ok" ? "good" : "bad"} role="status">
            <strong>{health.status === "ok" ? t("sound") : t("unsound")}</strong>
          </p>
          {storage === undefined ? <ForOwners /> : <State storage={storage} />}
          {trash !== undefined && (
            <dl class="fact-list">
              <Fact label={shell("trash")}>
                <a href={href(["trash"])}>{trashSum(trash)}</a>
              </Fact>
            </dl>
          )}
        </section>
      )}
      {storage !== undefined && <Problems problems={storage.problems} />}
      <BackUp />
    </div>
  );
}

function ForOwners(): JSX.Element {
  return (
    <>
      <p>{t("more")}</p>
      <OwnCommand label={common("createKey")} text="activity-server keys add owner --scope admin" />
    </>
  );
}

function State({ storage }: { readonly storage: StorageState }): JSX.Element {
  const { adapter, durability, state, refusal, encrypted, last_scrub: scrub, last_failure: failure } = storage;
  const disk = diskUseOf(storage.disk);
  const encryption = encrypted === null ? "unknownEncryption" : encrypted ? "encrypted" : "notEncrypted";
  return (
    <dl class="fact-list">
      <Fact label={common("state")}>
        {t(STATES[state])}
        {refusal !== null && <span class="field-error">{refusal}</span>}
      </Fact>
      <Fact label={t("adapter")}>{adapter}</Fact>
      <Fact label={t("durability")}>{t(SURVIVES[durability])}</Fact>
      <Fact label={t("encryption")}>{t(encryption)}</Fact>
      <Fact label={t("scrub")}>{scrub === null ? t("never") : formatMoment(scrub, zone.value)}</Fact>
      {failure !== null && (
        <Fact label={t("failure")}>
          {formatMoment(failure.time, zone.value)}: {failure.message}
        </Fact>
      )}
      {disk !== undefined && <Disk disk={disk} />}
    </dl>
  );
}

function Disk({ disk: { freeBytes, totalBytes, usedShare, left } }: { readonly disk: DiskUse }): JSX.Element {
  const width = `${(usedShare * 100).toFixed(1)}%`;
  return (
    <Fact label={t("disk")}>
      {t("free", { free: formatBytes(freeBytes), total: formatBytes(totalBytes) })}
      <span
        class={left === "enough" ? "meter" : "meter meter-low"}
        role="img"
        aria-label={t("used", { share: formatShare(usedShare, 1) })}
      >
        <span style={{ width }} />
      </span>
      {left !== "enough" && <strong class="bad">{t(left === "none" ? "full" : "little")}</strong>}
    </Fact>
  );
}

function Problems({ problems }: { readonly problems: StorageState["problems"] }): JSX.Element {
  return (
    <section class="card" aria-label={t("problems")}>
      <h2>{t("problems")}</h2>
      {problems.length === 0 ? (
        <p>{t("noProblems")}</p>
      ) : (
        <>
          <ul class="problems">
            {problems.map(({ kind, message, bucket_id: id }, index) => (
              <li key={index}>
                <strong>{kind}</strong>: {message} {id !== undefined && <a href={href(["buckets", id])}>{id}</a>}
              </li>
            ))}
          </ul>
          <p class="hint">{t("repair")}</p>
        </>
      )}
    </section>
  );
}
