import type { JSX } from "preact";
import { apiBase, isKeyGiven } from "../api.js";
import { knownBuckets } from "../buckets.js";
import { DemoCard } from "../demo/demo-card.js";
import { Command } from "../parts/command.js";
import { href } from "../router.js";

/** How to start a first watcher; what an empty server shows. */
export default function WelcomeView(): JSX.Element {
  const isEmpty = knownBuckets.value.length === 0;
  const { hostname, port, protocol, pathname } = new URL(apiBase);
  const usedPort = port || (protocol === "https:" ? "443" : "80");
  const isBelowPath = !/^\/*$/.test(pathname);
  const isUsual = usedPort === "5600" && ["127.0.0.1", "localhost"].includes(hostname) && !isBelowPath;
  const name = hostname.replace(/^\[|\]$/g, "");
  const headers = [JSON_TYPE, ...(isKeyGiven.value ? [KEY_HEADER] : [])].join(" ");
  const where = `--host ${name} --port ${usedPort}`;
  return (
    <div class="welcome">
      <h1>{isEmpty ? "Nothing has been reported yet" : "Start a watcher"}</h1>
      <p>
        Watchers tell this server what is in front on a computer. It speaks the interface of ActivityWatch, so every
        watcher made for that reports here. As soon as one does, <a href={href([])}>today</a> fills up.
      </p>
      {isEmpty && <DemoCard />}
      <div class="welcome-columns">
        <section class="card">
          <h2>Window and keyboard</h2>
          <p>
            The title of the active window, and whether somebody is at the computer. Both watchers come with
            ActivityWatch, or by themselves; start them with the address of this server:
          </p>
          <Command label="install the watchers" text={INSTALL} />
          <Command label="start the window watcher" text={`aw-watcher-window ${where}`} />
          <Command label="start the afk watcher" text={`aw-watcher-afk ${where}`} />
          {isBelowPath && (
            <p class="hint">
              They know a host and a port but no path, and this server is below <code>{pathname}</code>: give it a host
              or a port of its own for them.
            </p>
          )}
          {protocol === "https:" && <p class="hint">They speak plain HTTP; give them the address behind the proxy.</p>}
        </section>
        <section class="card">
          <h2>Browser</h2>
          <p>
            The extension “ActivityWatch Web Watcher” from the store of your browser tells which page is open. It always
            reports to <code>127.0.0.1:5600</code>
            {isUsual ? ", which is this server: there is nothing to set up." : "; this server listens elsewhere:"}
          </p>
          {!isUsual && <Command label="start on the usual port" text="activity-server --port 5600" />}
        </section>
        <section class="card">
          <h2>Editors</h2>
          <p>
            Plugins called “aw-watcher-…” (Visual Studio Code, JetBrains, Vim, Emacs) tell file, project and language.
            They report to <code>127.0.0.1:5600</code>
            {isUsual ? ", this server." : " unless their settings name another address:"}
          </p>
          {!isUsual && <Command label="address for the settings of editors" text={apiBase} />}
        </section>
        <section class="card">
          <h2>Your own</h2>
          <p>Anything that can send HTTP can report. A bucket, then a heartbeat, here one of a minute:</p>
          {isKeyGiven.value && (
            <p>
              <code>$KEY</code> stands for the API key of this server, which every call has to show.
            </p>
          )}
          <Command label="create a bucket" text={bucketCommand(headers)} />
          <Command label="send a heartbeat" text={beatCommand(headers)} />
          <p>
            <a href={`${apiBase}/api/`}>All calls, to be tried out</a>
          </p>
        </section>
      </div>
      {!isEmpty && <DemoCard />}
    </div>
  );
}

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
