import type { ComponentChildren, JSX } from "preact";
import { client } from "../api.js";
import { formatBytes, formatMoment, formatShare } from "../format.js";
import { shownOf, useLoad } from "../load.js";
import { Busy } from "../parts/busy.js";
import { Command } from "../parts/command.js";
import { Failure } from "../parts/failure.js";
import { href } from "../router.js";
import { zone } from "../settings.js";
import { type DiskUse, diskUseOf, type StorageState } from "./storage/state.js";

const texts = {
  title: "Storage",
  intro: "Where the events are, and whether they are safe there.",
  refresh: "Refresh",
  unread: "The state of the storage could not be read.",
  sound: "The storage is sound.",
  unsound: "The storage needs attention.",
  more: "What is known beyond that is for the owner. Sign in, or make the first key on the command line:",
  makeKey: "make a key",
  state: "State",
  states: {
    ok: "Sound",
    "read-only": "Read-only: writes are refused",
    degraded: "Damaged, or out of reach",
  },
  adapter: "Kind",
  durability: "A write that was confirmed survives",
  survives: {
    nothing: "nothing: it is kept in memory only",
    "process-crash": "a crash of the server",
    "power-loss": "a power failure",
  },
  encryption: "Encryption",
  encrypted: { yes: "Encrypted", no: "Not encrypted", unknown: "Up to the database" },
  scrub: "Last full check",
  never: "Not since the start",
  failure: "Last failure of the database",
  disk: "Disk",
  free: (free: string, total: string) => `${free} of ${total} free`,
  used: (share: string) => `${share} of the disk is used`,
  left: {
    enough: "",
    little: "Little space is left. Below the reserve, writes are refused.",
    none: "Too little space is left: writes are refused until there is more.",
  },
  problems: "Damage",
  noProblems: "No damage was found.",
  repair: "What to do: docs/operations.md, Repair.",
};

/** The state of the storage. */
export default function StorageView(): JSX.Element {
  const loaded = useLoad("", (signal) => client.health({ signal }));
  const health = shownOf(loaded);
  const storage = health?.storage;
  return (
    <div class="data-view">
      <header class="view-head">
        <h1>{texts.title}</h1>
        <p class="quiet">{texts.intro}</p>
        <button type="button" onClick={loaded.retry}>
          {texts.refresh}
        </button>
      </header>
      {loaded.state === "failed" && <Failure title={texts.unread} error={loaded.error} retry={loaded.retry} />}
      {health === undefined && loaded.state === "loading" && <Busy />}
      {health !== undefined && (
        <section class="card" aria-label={texts.state}>
          <p class={health.status === "ok" ? "good" : "bad"} role="status">
            <strong>{health.status === "ok" ? texts.sound : texts.unsound}</strong>
          </p>
          {storage === undefined ? <ForOwners /> : <State storage={storage} />}
        </section>
      )}
      {storage !== undefined && <Problems problems={storage.problems} />}
    </div>
  );
}

function ForOwners(): JSX.Element {
  return (
    <>
      <p>{texts.more}</p>
      <Command label={texts.makeKey} text="activity-server keys add owner --scope admin" />
    </>
  );
}

function State({ storage }: { readonly storage: StorageState }): JSX.Element {
  const { adapter, durability, state, refusal, encrypted, last_scrub: scrub, last_failure: failure } = storage;
  const disk = diskUseOf(storage.disk);
  const encryption = encrypted === null ? "unknown" : encrypted ? "yes" : "no";
  return (
    <dl class="fact-list">
      <Fact label={texts.state}>
        {texts.states[state]}
        {refusal !== null && <span class="field-error">{refusal}</span>}
      </Fact>
      <Fact label={texts.adapter}>{adapter}</Fact>
      <Fact label={texts.durability}>{texts.survives[durability]}</Fact>
      <Fact label={texts.encryption}>{texts.encrypted[encryption]}</Fact>
      <Fact label={texts.scrub}>{scrub === null ? texts.never : formatMoment(scrub, zone.value)}</Fact>
      {failure !== null && (
        <Fact label={texts.failure}>
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
    <Fact label={texts.disk}>
      {texts.free(formatBytes(freeBytes), formatBytes(totalBytes))}
      <span
        class={left === "enough" ? "meter" : "meter meter-low"}
        role="img"
        aria-label={texts.used(formatShare(usedShare, 1))}
      >
        <span style={{ width }} />
      </span>
      {left !== "enough" && <strong class="bad">{texts.left[left]}</strong>}
    </Fact>
  );
}

function Problems({ problems }: { readonly problems: StorageState["problems"] }): JSX.Element {
  return (
    <section class="card" aria-label={texts.problems}>
      <h2>{texts.problems}</h2>
      {problems.length === 0 ? (
        <p>{texts.noProblems}</p>
      ) : (
        <>
          <ul class="problems">
            {problems.map(({ kind, message, bucket_id: id }, index) => (
              <li key={index}>
                <strong>{kind}</strong>: {message} {id !== undefined && <a href={href(["buckets", id])}>{id}</a>}
              </li>
            ))}
          </ul>
          <p class="hint">{texts.repair}</p>
        </>
      )}
    </section>
  );
}

function Fact({ label, children }: { readonly label: string; readonly children: ComponentChildren }): JSX.Element {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
