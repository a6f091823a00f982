// long: 120 s
// What the dashboard of the `activity-server` command knows about its machine: an import, commands with this server's
// data, the address for other devices, and a backup.
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { connect } from "../../src/client/index.js";
import type { ImportProgress, MachineFacts } from "../../src/domain/machine.js";
import { MACHINE, type Machine, type MachineOption } from "../../src/http/machine.js";
import { bucket, type TestServerOptions } from "../../src/testing/index.js";
import { detailsOf } from "../faults/sizes.js";
import { dropFaults } from "./watch.js";
import { accessibleToo, HOST, NOW, withWeb } from "./web-page.js";

const test = suite("first steps in Chromium");
const details = detailsOf(test);

const FLAGS = "--data /home/me/data";

/** A server of the command. */
function ofCommand(facts: Partial<MachineFacts> = {}, given: Partial<Machine> = {}): TestServerOptions & MachineOption {
  const described = { flags: FLAGS, share: null, urls: [], bytes: 8_400_000, databases: [], ...facts };
  const usual: Machine = {
    publicFlags: FLAGS,
    hasSocket: false,
    hasOtherUsers: async () => false,
    describe: async () => described,
    importDatabase: async () => {},
  };
  return { [MACHINE]: { ...usual, ...given } };
}

/** A machine with one database, whose import has the given state. */
function withDatabase(state: () => ImportProgress): TestServerOptions & MachineOption {
  const database = { file: "/home/me/aw-server/peewee-sqlite.v2.db", bytes: 379_000, written: "2024-02-01T10:00:00Z" };
  let isStarted = false;
  return ofCommand(
    {},
    {
      async describe() {
        const databases = [{ ...database, import: isStarted ? state() : null }];
        return { flags: FLAGS, share: null, urls: [], bytes: 1, databases };
      },
      async importDatabase(file) {
        assert.is(file, database.file);
        isStarted = true;
      },
    },
  );
}

test("a database of ActivityWatch is offered, and its import shows how far it is and what it brought", () => {
  let state: ImportProgress = { state: "running", done: 100, total: 287 };
  const server = withDatabase(() => state);
  return withWeb({ fill: [], server, width: 390 }, async ({ page, picture, url }) => {
    assert.is(page.url(), `${url}#/welcome`);
    await page.getByText("379 kB, last written Feb 1, 2024").waitFor();
    await accessibleToo(page);
    await picture("first-steps");
    await page.getByRole("button", { name: "Import" }).click();
    await page.getByText("100 of 287 events").waitFor();
    const again = page.getByRole("button", { name: "Import again" });
    assert.is(await again.isDisabled(), true);
    state = { state: "done", imported: 280, known: 7, lost: 1 };
    await page.getByText("Events imported: 280. Already here: 7.").waitFor();
    await page.getByText(`activity-server import --dry-run ${FLAGS}`).waitFor();
    assert.is(await again.isDisabled(), false);
    await picture("first-steps-imported");
  });
});

details("a failed import says why, and the first steps stay and show when a watcher reports", () =>
  withWeb({ fill: [], server: withDatabase(() => ({ state: "failed", message: "it is damaged" })) }, async (web) => {
    const { page, server, url } = web;
    await page.getByRole("button", { name: "Import" }).click();
    await page.getByText("The import failed. it is damaged").waitFor();
    const card = page.locator(".card").filter({ has: page.getByRole("heading", { name: "Window and keyboard" }) });
    await card.getByText("waiting for the first report").waitFor();
    await page.getByText(`activity-server --port 5600 ${FLAGS}`).waitFor();
    const { id, ...record } = bucket({ hostname: HOST });
    await server.buckets.create(id, record);
    await connect(server).heartbeat(id, { timestamp: NOW, duration: 0, data: { app: "Notes" } }, 60);
    await card.getByText(`${id}: reports now`).waitFor();
    assert.is(page.url(), `${url}#/welcome`);
    await accessibleToo(page);
  }),
);

details("a server that only its computer reaches has the commands that change this", () => {
  const share = `activity-server --host 0.0.0.0 --auth required --port 5601 ${FLAGS}`;
  const server = ofCommand({ share });
  return withWeb({ hash: "#/devices", width: 390, dark: true, server }, async ({ page, picture }) => {
    await page.getByText("Only this computer can reach the server now.").waitFor();
    assert.equal(await page.locator(".devices pre").allTextContents(), [
      share,
      `activity-server open ${FLAGS}`,
      `activity-server keys add phone --scope 'read:*' --scope 'append:*' ${FLAGS}`,
    ]);
    assert.is(await page.getByLabel("Address of this server").count(), 0);
    await accessibleToo(page);
    await picture("devices-local");
  });
});

details("on the server's own computer, the address is the one for other devices", () => {
  const server = ofCommand({ urls: ["http://192.168.1.20:5600", "http://10.0.0.2:5600"] });
  return withWeb({ hash: "#/devices", server }, async ({ page, picture }) => {
    await page.getByRole("img", { name: "QR code of http://192.168.1.20:5600" }).waitFor();
    await page.getByText("activity-server keys add phone").waitFor();
    await accessibleToo(page);
    await picture("devices-shared");
    await page.getByRole("button", { name: "http://10.0.0.2:5600" }).click();
    await page.getByRole("img", { name: "QR code of http://10.0.0.2:5600" }).waitFor();
  });
});

details("with a key the page downloads a backup, and before that its commands have the flags of the page", () =>
  withWeb({ hash: "#/storage", server: { ...ofCommand(), apiKey: "s3cret" }, key: "s3cret" }, async (web) => {
    const { page, picture } = web;
    await page.getByText("Size of the data: 8.4 MB").waitFor();
    await picture("storage-backup");
    const downloading = page.waitForEvent("download");
    await page.getByRole("link", { name: "Back up now" }).click();
    assert.is((await downloading).suggestedFilename(), "activity-server-backup.jsonl");
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByText(`activity-server open ${FLAGS}`).waitFor();
    // Of requests between the end of the session and the reload.
    dropFaults(web, /401/);
  }),
);

test.run();
