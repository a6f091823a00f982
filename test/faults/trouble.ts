import { execFile } from "node:child_process";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { randomOf } from "../contract/case.js";
import type { Api } from "./api.js";
import { openEmbedded } from "./embedded.js";
import { readAll } from "./history.js";
import { objectOf } from "./ledger.js";
import { BulkLoad, HeartbeatLoad, type Load, type LoadOptions, ShortLivedLoad } from "./load.js";
import { ImportLoad, SettingsLoad } from "./other-loads.js";
import { type Rig, type RunningServer, withRig } from "./rig.js";
import { freshOptions, lossesIn } from "./rounds.js";
import type { Fault } from "./shim.js";
import { sizeOf } from "./sizes.js";

/** Something that the operating system itself does: a limit of the process, or a small disk that is filled. */
export type RealFault = "file size limit" | "small disk";

/** A time in which something is wrong with the disk, and what is demanded then. */
export interface Trouble {
  readonly name: string;
  readonly durability: "process-crash" | "power-loss";
  /** How the server ends, once the disk is well again: or while it is not. */
  readonly ending: "stop" | "kill" | "stop in trouble" | "kill in trouble";
  readonly fault: Fault | RealFault | "no space";
  /** Statuses that a refused write may have. */
  readonly statuses: readonly number[];
  /** Waves of requests while it lasts. @default 8, and 5 in the short tests */
  readonly waves?: number;
  readonly seed?: number;
  /** Whether reads may fail meanwhile. @default false */
  readonly breaksReads?: boolean;
}

/** What a time of trouble came to. */
export interface TroubleReport {
  readonly defects: readonly string[];
  /** Operations that were made to fail. */
  readonly injected: number;
  readonly refused: number;
  /** Of the refused ones, those that may be stored all the same. */
  readonly doubts: number;
  readonly acknowledged: number;
}

const run = promisify(execFile);

/** Waves of requests before the trouble, and when it is over. */
const WAVES_BESIDE = sizeOf("WAVES_BESIDE", { short: 2, long: 6 });
/** Waves of requests while it lasts. */
const WAVES = sizeOf("TROUBLE_WAVES", { short: 4, long: 8 });
/** Events of an insert that goes to the database at once, not to the log. */
const LARGE = sizeOf("LARGE_INSERT", { short: 550, long: 1_000 });

/** So much of the log goes with a defect. */
const LOG_LENGTH = 2_000;

/** Writing has come back by itself within this time, or it has not. */
const PATIENCE_MILLIS = 60_000;
/** Between two looks. To ask without a pause would keep the server from its work, and cost most of the time. */
const PAUSE_MILLIS = 250;

/**
 * Writes, lets the disk go wrong, writes and reads on, heals the disk, waits for writes to succeed again, ends the
 * server, and looks at what a new one finds.
 */
export async function playTrouble(trouble: Trouble): Promise<TroubleReport> {
  let report: TroubleReport = { defects: ["not played"], injected: 0, refused: 0, doubts: 0, acknowledged: 0 };
  await withRig(async (rig) => {
    const body = async () => {
      report = await playOn(rig, trouble);
    };
    await (trouble.fault === "small disk" ? onSmallDisk(rig.disk, body) : body());
  });
  return report;
}

async function playOn(rig: Rig, trouble: Trouble): Promise<TroubleReport> {
  const { seed = 1, waves = WAVES, durability, ending, fault } = trouble;
  const loads = troubleLoads(freshOptions(randomOf(seed)));
  // The trace would grow into the limit as well.
  const isPlain = fault === "file size limit" || fault === "small disk";
  const server = await (isPlain ? rig.startPlain : rig.start)(["--durability", durability]);
  const { api } = server;
  const { device_id: deviceId } = objectOf(await api.get("info"));
  const defects: string[] = [];
  await playWaves(loads, api, WAVES_BESIDE);
  if (api.failures > 0) defects.push(`${api.failures} failures before the trouble`);
  await begin(rig, trouble, server);
  await playWaves(loads, api, waves - 1);
  if (!(await tellsOf(loads, api))) defects.push("writes are refused, and health says ok");
  defects.push(...(await defectsOfReading(trouble, api)));
  const refused = api.failures;
  const { failed: injected } = await rig.shim.counts();
  if (!ending.endsWith("in trouble")) {
    await heal(rig, trouble, server);
    defects.push(...(await defectsOfComingBack(loads, api)));
  }
  for (const [status, text] of api.refusals) if (!trouble.statuses.includes(status)) defects.push(`${status}: ${text}`);
  defects.push(...api.badAnswers.values());
  await end(server, ending);
  if (ending.endsWith("in trouble") && fault !== "file size limit") await heal(rig, trouble, server);
  defects.push(...(await defectsAfterwards(rig, loads, deviceId)));
  // Why, only the server knows.
  if (defects.length > 0) defects.push(`its log: ${server.log().slice(-LOG_LENGTH)}`);
  return {
    defects,
    injected: isPlain ? refused : injected,
    refused,
    doubts: api.doubts,
    acknowledged: api.acknowledged,
  };
}

/** Loads of all kinds, with large inserts. */
export function troubleLoads(options: LoadOptions): Load[] {
  return [
    new HeartbeatLoad("beats-1", options),
    new HeartbeatLoad("beats-2", options),
    new BulkLoad("bulk", options, { usual: 12, large: LARGE, share: 0.25 }),
    new ShortLivedLoad("short-lived", options),
    new SettingsLoad(options),
    new ImportLoad(options),
  ];
}

/** Whether health tells it when all writes of a wave are refused. Between the two, writing may just have come back. */
async function tellsOf(loads: readonly Load[], api: Api): Promise<boolean> {
  for (let attempt = 0; attempt < 3; attempt++) {
    const before = api.failures;
    await playWaves(loads, api, 1);
    const { status } = objectOf(await api.get("health"));
    if (api.failures - before < loads.length || status !== "ok") return true;
  }
  return false;
}

/** Lets each load make so many requests. */
export async function playWaves(loads: readonly Load[], api: Api, waves: number): Promise<void> {
  for (let wave = 0; wave < waves; wave++) {
    const alive = await Promise.all(loads.map((load) => load.step(api)));
    if (!alive.every(Boolean)) throw new Error("the server is gone");
  }
}

async function begin({ shim, disk }: Rig, { fault }: Trouble, { pid }: RunningServer): Promise<void> {
  if (fault === "no space") await shim.limitSpace(0);
  else if (fault === "file size limit") await limitFiles(pid, "4096:");
  else if (fault === "small disk") await fill(disk);
  else await shim.inject(fault);
}

async function heal({ shim, disk }: Rig, { fault }: Trouble, { pid }: RunningServer): Promise<void> {
  if (fault === "file size limit") await limitFiles(pid, "unlimited:");
  else if (fault === "small disk") await rm(`${disk}/filler`, { force: true });
  await shim.heal();
  await shim.limitSpace(undefined);
}

/** Limits how large the files of a process may grow; its hard limit stays. */
async function limitFiles(pid: number, limit: string): Promise<void> {
  await run("prlimit", ["--pid", `${pid}`, `--fsize=${limit}`]);
}

/** Leaves no page of a disk. */
export async function fill(disk: string): Promise<void> {
  const filler = await open(`${disk}/filler`, "w");
  try {
    for (;;) await filler.write(new Uint8Array(4096));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  } finally {
    await filler.close();
  }
}

/** Puts a small file system where the disk of a rig is. */
export async function onSmallDisk(disk: string, body: () => Promise<void>): Promise<void> {
  await run("mount", ["-t", "tmpfs", "-o", "size=48m", "tmpfs", disk]);
  try {
    await body();
  } finally {
    await run("umount", ["--lazy", disk]);
  }
}

/** Whether a fault of the operating system can be brought about here; elsewhere the test is left out with a message. */
export async function canBring(fault: RealFault): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), "activity-probe-"));
  try {
    if (fault === "small disk") await onSmallDisk(folder, async () => undefined);
    else await run("prlimit", ["--version"]);
    return true;
  } catch (error) {
    if (process.env["CI"] === "true") throw error;
    console.log(`left out, no ${fault} here: ${error instanceof Error ? error.message : error}`);
    return false;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Reads go on, whatever happens to writes. */
async function defectsOfReading({ breaksReads = false }: Trouble, api: Api): Promise<string[]> {
  if (breaksReads) return [];
  try {
    await readAll(api);
    return [];
  } catch (error) {
    return [`while it lasted: ${error instanceof Error ? error.message : error}`];
  }
}

async function defectsOfComingBack(loads: readonly Load[], api: Api): Promise<string[]> {
  const until = Date.now() + PATIENCE_MILLIS;
  for (;;) {
    const before = api.failures;
    await playWaves(loads, api, 3);
    // Three waves may have no large insert, which alone waits until a commit in doubt is looked at again.
    const { status } = objectOf(await api.get("health"));
    if (api.failures === before && status === "ok") break;
    if (Date.now() > until) return [`writing did not come back, and health says ${status}`];
    await delay(PAUSE_MILLIS);
  }
  const before = api.failures;
  await playWaves(loads, api, WAVES_BESIDE);
  return api.failures === before ? [] : ["writing came back, and failed again"];
}

async function end(server: RunningServer, ending: Trouble["ending"]): Promise<void> {
  await (ending.startsWith("stop") ? server.stop() : server.kill());
}

async function defectsAfterwards(rig: Rig, loads: readonly Load[], deviceId: unknown): Promise<string[]> {
  const { api, close } = await openEmbedded(rig.data);
  const losses = await lossesIn(loads, api, "afterwards");
  const { device_id: found } = objectOf(await api.get("info"));
  if (found !== deviceId) losses.push("afterwards: another device id");
  await playWaves(loads, api, 2);
  if (api.failures > 0) losses.push("afterwards: writing fails");
  await close();
  return losses;
}
