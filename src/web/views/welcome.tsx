import type { JSX } from "preact";
import { apiBase, isKeyGiven } from "../api.js";
import { knownBuckets } from "../buckets.js";
import { DemoCard } from "../demo/demo-card.js";
import { useMachine } from "../machine.js";
import { Command } from "../parts/command.js";
import { OwnCommand } from "../parts/own-command.js";
import { href } from "../router.js";
import { t as shell } from "../texts/shell.js";
import { t } from "../texts/welcome.js";
import { BackUp } from "./storage/back-up.js";
import { ImportCard } from "./welcome/import-card.js";
import { Ticks } from "./welcome/ticks.js";

/** The first steps, shown while the server is empty: an import, watchers, and a backup. */
export default function WelcomeView(): JSX.Element {
  const isEmpty = knownBuckets.value.length === 0;
  const { databases = [] } = useMachine() ?? {};
  const { hostname, port, protocol, pathname } = new URL(apiBase);
  const usedPort = port || (protocol === "https:" ? "443" : "80");
  const isBelowPath = !/^\/*$/.test(pathname);
  const isUsual = usedPort === "5600" && ["127.0.0.1", "localhost"].includes(hostname) && !isBelowPath;
  const name = hostname.replace(/^\[|\]$/g, "");
  const headers = [JSON_TYPE, ...(isKeyGiven.value ? [KEY_HEADER] : [])].join(" ");
  const where = `--host ${name} --port ${usedPort}`;
  const usual = <code>127.0.0.1:5600</code>;
  return (
    <div class="welcome">
      <h1>{t(isEmpty ? "empty" : "start")}</h1>
      <p>{t.rich("intro", { today: <a href={href([])}>{t("today")}</a> })}</p>
      {databases.length > 0 && <ImportCard databases={databases} />}
      {isEmpty && <DemoCard />}
      <div class="welcome-columns">
        <section class="card">
          <h2>{t("windows")}</h2>
          <Ticks types={["currentwindow", "afkstatus"]} />
          <p>{t("windowsWhat")}</p>
          <Command label={t("install")} text={INSTALL} />
          <Command label={t("startWindow")} text={`aw-watcher-window ${where}`} />
          <Command label={t("startAfk")} text={`aw-watcher-afk ${where}`} />
          {isBelowPath && <p class="hint">{t.rich("belowPath", { path: <code>{pathname}</code> })}</p>}
          {protocol === "https:" && <p class="hint">{t("plainHttp")}</p>}
        </section>
        <section class="card">
          <h2>{t("browser")}</h2>
          <Ticks types={["web.tab.current"]} />
          <p>{t.rich(isUsual ? "browserHere" : "browserElsewhere", { address: usual })}</p>
          {!isUsual && <OwnCommand label={t("usualPort")} text="activity-server --port 5600" />}
          <p>{t.rich("stores", STORES)}</p>
        </section>
        <section class="card">
          <h2>{t("editors")}</h2>
          <Ticks types={["app.editor.activity"]} />
          <p>{t.rich(isUsual ? "editorsHere" : "editorsElsewhere", { address: usual })}</p>
          {!isUsual && <Command label={t("editorAddress")} text={apiBase} />}
        </section>
        <section class="card">
          <h2>{t("phone")}</h2>
          <p>{t.rich("phoneConnect", { devices: <a href={href(["devices"])}>{shell("devices")}</a> })}</p>
          <p>{t.rich("phoneImport", { data: <a href={href(["buckets"])}>{shell("data")}</a> })}</p>
        </section>
        <BackUp />
        <section class="card">
          <h2>{t("own")}</h2>
          <p>{t("ownWhat")}</p>
          {isKeyGiven.value && <p>{t.rich("key", { key: <code>$KEY</code> })}</p>}
          <Command label={t("createBucket")} text={bucketCommand(headers)} />
          <Command label={t("sendHeartbeat")} text={beatCommand(headers)} />
          <p>
            <a href={`${apiBase}/api/`}>{t("allCalls")}</a>
          </p>
        </section>
      </div>
      {!isEmpty && <DemoCard />}
    </div>
  );
}

const STORES = {
  firefox: <a href="https://addons.mozilla.org/firefox/addon/aw-watcher-web/">Firefox</a>,
  chrome: (
    <a href="https://chromewebstore.google.com/detail/activitywatch-web-watcher/nglaklhklhcoonedhgnpgddginnjdadi">
      Chrome
    </a>
  ),
};

const INSTALL = ["window", "afk"]
  .map((name) => `pipx install git+https://github.com/ActivityWatch/aw-watcher-${name}.git`)
  .join("\n");

const JSON_TYPE = '-H "Content-Type: application/json"';
const KEY_HEADER = '-H "Authorization: Bearer $KEY"';

function bucketCommand(headers: string): string {
  const body = '{"type":"currentwindow","client":"my-watcher","hostname":"!local"}';
  return `curl ${apiBase}/api/0/buckets/my-watcher ${headers} -d '${body}'`;
}

function beatCommand(headers: string): string {
  const body = '{"timestamp":"\'$(date -u +%FT%TZ)\'","duration":60,"data":{"app":"Notes","title":"Ideas"}}';
  return `curl "${apiBase}/api/0/buckets/my-watcher/heartbeat?pulsetime=60" ${headers} -d '${body}'`;
}
