import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { ClientBucket } from "../../client/index.js";
import { apiBase } from "../api.js";
import { buckets, hosts, knownBuckets, refreshBuckets } from "../buckets.js";
import { formatAge, shorten } from "../format.js";
import { useMachine } from "../machine.js";
import { useMinutes } from "../minutes.js";
import { Busy } from "../parts/busy.js";
import { Command } from "../parts/command.js";
import { Failure } from "../parts/failure.js";
import { Field } from "../parts/field.js";
import { lazy } from "../parts/lazy.js";
import { OwnCommand } from "../parts/own-command.js";
import { pastLastOf, reportingOf } from "../reporting.js";
import { href } from "../router.js";
import { common } from "../texts/common.js";
import { t } from "../texts/devices.js";
import { t as shell } from "../texts/shell.js";
import { hostText } from "./activity/names.js";
import { readAddress } from "./devices/address.js";

const QrCode = lazy(async () => (await import("./devices/qr-code.js")).QrCode);

const MAX_SHOWN = 120;
/** Types of buckets without a watcher. */
const BY_HAND: readonly string[] = ["general.stopwatch", "timesheet.note"];
/** Lets other devices reach the server. */
const OPTION = "--host 0.0.0.0";

/** The devices with the state of their watchers, and how to connect another one. */
export default function DevicesView(): JSX.Element {
  const now = useMinutes();
  const listed = buckets.value;
  if (listed.state === "failed" && listed.before === undefined) {
    return <Failure error={listed.error} title={common("notLoaded")} retry={refreshBuckets} />;
  }
  if (listed.state === "loading" && listed.before === undefined) return <Busy />;
  return (
    <div class="data-view devices">
      <header class="view-head">
        <h1>{shell("devices")}</h1>
        <p class="quiet">{t("intro")}</p>
      </header>
      {hosts.value.length === 0 && <p class="card quiet">{t("none")}</p>}
      {hosts.value.map((host) => (
        <Device key={host} {...{ host, now }} />
      ))}
      <Connect />
    </div>
  );
}

function Device({ host, now }: { readonly host: string; readonly now: number }): JSX.Element | null {
  const own = knownBuckets.value.filter(({ hostname, type }) => hostname === host && !BY_HAND.includes(type));
  if (own.length === 0) return null;
  return (
    <section class="card">
      <h2>
        <a href={href([], { host })}>{shorten(hostText(host), MAX_SHOWN)}</a>
      </h2>
      <table>
        <thead>
          <tr>
            <th scope="col">{t("watcher")}</th>
            <th scope="col">{common("state")}</th>
            <th scope="col">{t("lastReport")}</th>
          </tr>
        </thead>
        <tbody>
          {own.map((bucket) => (
            <Watcher key={bucket.id} {...{ bucket, now }} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Watcher({ bucket, now }: { readonly bucket: ClientBucket; readonly now: number }): JSX.Element {
  const state = reportingOf(bucket, now);
  const last = pastLastOf(bucket, now);
  return (
    <tr>
      <th scope="row">
        <a href={href(["buckets", bucket.id])}>{shorten(bucket.id, MAX_SHOWN)}</a>
      </th>
      <td class={state === "now" ? "good" : undefined}>{t(`state_${state}`)}</td>
      <td>{last === 0 ? "–" : formatAge((now - last) / 1000)}</td>
    </tr>
  );
}

/** The address of the server, as text and as a code, and what others need to reach it. */
function Connect(): JSX.Element {
  const { urls = [], share = null } = useMachine() ?? {};
  const [typed, setTyped] = useState<string>();
  const isHere = readAddress(apiBase)?.isLocal;
  const shown = typed ?? (isHere ? (urls[0] ?? apiBase) : apiBase);
  const address = readAddress(shown);
  return (
    <section class="card">
      <h2>{t("phone")}</h2>
      {isHere && share !== null ? (
        <Share command={share} />
      ) : (
        <>
          <p>{t("phoneHow")}</p>
          <Field
            label={t("address")}
            error={address === undefined ? t("notAnAddress", { example: "http://192.168.1.20:5600" }) : undefined}
          >
            <input
              class="wide"
              value={shown}
              spellcheck={false}
              onInput={({ currentTarget: { value } }) => setTyped(value)}
            />
          </Field>
          {urls.length > 1 && (
            <div class="row">
              {urls.map((url) => (
                <button key={url} type="button" class="plain" onClick={() => setTyped(url)}>
                  {url}
                </button>
              ))}
            </div>
          )}
          {address?.isLocal === true && <p class="warn">{t.rich("local", { option: <code>{OPTION}</code> })}</p>}
          {address?.isLocal === false && <QrCode text={address.text} label={t("code", { address: address.text })} />}
          {urls.length > 0 && <KeyCommand />}
        </>
      )}
      <p class="hint">{t.rich("pairing", { access: <a href={href(["access"])}>{shell("access")}</a> })}</p>
    </section>
  );
}

/** How to restart a server that only this computer can reach. */
function Share({ command }: { readonly command: string }): JSX.Element {
  return (
    <ol>
      <li>
        {t("restart")}
        <Command label={t("restart")} text={command} />
        <p class="hint">{t.rich("unencrypted", { option: <code>--tls</code> })}</p>
      </li>
      <li>
        {t("signIn")}
        <OwnCommand label={t("signIn")} text="activity-server open" />
      </li>
      <li>
        <KeyCommand />
      </li>
      <li>{t("reopen")}</li>
    </ol>
  );
}

/** Other devices always need a key. */
function KeyCommand(): JSX.Element {
  return (
    <>
      {t("key")}
      <OwnCommand label={t("key")} text="activity-server keys add phone --scope 'read:*' --scope 'append:*'" />
    </>
  );
}
