import type { RequestListener } from "node:http";
import { currentMicros } from "../domain/time.js";
import type { ListeningSocket } from "../http/listen.js";
import { MACHINE, type MachineOption } from "../http/machine.js";
import type { CertificateFacts } from "../http/tls.js";
import type { ActivityServerOptions } from "../options.js";
import { assembleServer } from "../server.js";
import { createMainSpace } from "../storage/space.js";
import type { Storage } from "../storage/storage.js";
import { END_FEEDS, START_MAINTENANCE } from "../util/in-process.js";
import { VERSION } from "../util/version.js";
import { isLoopbackHost } from "./address.js";
import { formatFacts, gatherFacts, type ServerFacts, type TlsFacts } from "./banner.js";
import { openBrowser } from "./browser.js";
import { connectionLimits } from "./connection-limit.js";
import { CONTROL_FILE, createControlFile } from "./control-file.js";
import { defaultDataFolder, errorCode, prepareDataFolder, sizeOnDisk } from "./data-folder.js";
import { readEncryption, readKey } from "./encryption-key.js";
import { allowedHostNames } from "./host-names.js";
import { collectWhenIdle } from "./idle-collector.js";
import { LaunchError, printable } from "./launch-error.js";
import { listenOn } from "./listen.js";
import { createMachine } from "./machine.js";
import { openDatabase } from "./open-database.js";
import { openFolder } from "./open-folder.js";
import { checkWebui, readApiKey } from "./option-files.js";
import type { LaunchOptions } from "./options.js";
import { otherUsersWarning } from "./other-users.js";
import type { Output } from "./output.js";
import { createRequestGate } from "./request-gate.js";
import { openSignIn } from "./sign-in-page.js";
import { stopGracefully } from "./stop.js";
import type { LaunchTls } from "./tls.js";

/** A running server. */
export interface Running {
  readonly facts: ServerFacts;
  stop(): Promise<void>;
}

/**
 * Starts in this order: given files, port, storage, so that nothing is opened for a start that cannot succeed. Requests
 * wait while the storage opens.
 *
 * @param onLoaded called before the first response
 * @throws LaunchError, or the `ActivityError` of a storage that cannot be opened
 */
export async function start(options: LaunchOptions, output: Output, onLoaded?: () => void): Promise<Running> {
  const warnings = [...options.unusedWarnings];
  const apiKey = options.apiKeyFile === undefined ? undefined : await readApiKey(options.apiKeyFile);
  const warnOfAccess = (warning: string | undefined): void => {
    if (warning === undefined) return;
    if (options.strictPermissions) throw new LaunchError(`${warning} (--strict-permissions)`);
    warnings.push(warning);
  };
  warnOfAccess(apiKey?.warning);
  warnOfAccess(options.encryptionKey && (await readKey(options.encryptionKey)).warning);
  if (typeof options.webui === "string") await checkWebui(options.webui);
  const notice = await otherUsersWarning(options);
  if (notice !== undefined) warnings.push(notice);
  const gate = createRequestGate();
  const limits = await connectionLimits();
  const tls = options.tls === undefined ? undefined : await (await import("./tls.js")).prepareTls(options, output.warn);
  warnOfAccess(tls?.accessWarning);
  warnings.push(...(tls?.warnings ?? []));
  const control = createControlFile(options.data);
  const listener = await listenOn(gate.handler, {
    ...options,
    certificate: tls?.options,
    onCertificate: control.useCertificate,
    connections: { total: limits.connections },
    logger: output,
  });
  let storage: Storage | undefined;
  try {
    storage = await openChosenStorage(options, output, warnOfAccess);
    const allowedHosts = allowedHostNames(options);
    const machine = createMachine(options, listener.port);
    const serverOptions: ActivityServerOptions & MachineOption = {
      // Users reach it by this socket, or by a proxy that removes its own prefix.
      basePath: "/",
      storage,
      logger: output,
      testing: options.testing,
      ...(allowedHosts === undefined ? {} : { allowedHosts }),
      cors: [...options.cors],
      corsRegex: [...options.corsRegex],
      ...(apiKey === undefined ? {} : { apiKey: apiKey.key }),
      ...(options.auth === undefined ? {} : { auth: options.auth }),
      ...(options.data === undefined ? {} : { controlToken: control.token }),
      sessionCookieAlone: options.sessionCookieAlone,
      ...(options.trashDays === undefined ? {} : { trashDays: options.trashDays }),
      ...(options.memoryBudgetBytes === undefined ? {} : { memoryBudgetBytes: options.memoryBudgetBytes }),
      feedReaders: limits.feedReaders,
      webui: options.webui,
      mcp: options.mcp,
      [MACHINE]: machine,
    };
    // Without web-standard requests: a CLI server does not receive any.
    const server = assembleServer(serverOptions, () => ({}));
    const handler: RequestListener = (request, response) => void server.nodeHandler(request, response);
    onLoaded?.();
    gate.open(options.verbose ? logRequests(handler, output) : handler);

    server[START_MAINTENANCE]();
    const stopCollecting = collectWhenIdle();

    const now = currentMicros(Date.now);
    const allKeys = await server.keys.list();
    const keys = allKeys.filter(
      ({ revoked, expires }) => revoked === null && now < (expires ?? Number.POSITIVE_INFINITY),
    ).length;
    await tls?.keep().catch((error: unknown) => {
      warnings.push(`cannot save the certificate (${errorCode(error)})`);
    });
    const measured = await measure(options, storage, listener);
    const facts = gatherFacts(options, apiKey, { ...measured, keys, tls: tlsFacts(tls, control.certificate) });
    await control.write({ address: facts.url, socketPath: options.socketPath }).catch((error: unknown) => {
      warnings.push(`cannot write ${CONTROL_FILE} (${errorCode(error)})`);
    });
    // Not earlier: a failed start should only show its cause.
    for (const warning of warnings) output.warn(warning);
    announce(facts, options, output);
    listener.show();
    if (options.open) await showInBrowser(facts, options, output, () => server.sessions.createLink());
    return {
      facts,
      async stop() {
        stopCollecting();
        const importEnded = machine.stop();
        await control.remove().catch(() => undefined);
        server[END_FEEDS]();
        await stopGracefully(listener, async () => {
          await importEnded;
          await server.close();
        });
      },
    };
  } catch (error) {
    gate.open((_, response) => void response.destroy());
    await listener.close();
    await storage?.close();
    throw error;
  }
}

/** @param warnOfAccess called with a warning if other users can read the data */
async function openChosenStorage(
  options: LaunchOptions,
  output: Output,
  warnOfAccess: (warning: string | undefined) => void,
): Promise<Storage> {
  const { storage: kind, data, durability, testing, databaseUrl, namespace } = options;
  if (databaseUrl !== undefined) return openDatabase(databaseUrl, { namespace, durability, logger: output });
  if (kind === "memory" || data === undefined) return (await import("../../adapters/memory.js")).memory();
  // Others may use a chosen folder as well, such as a volume.
  warnOfAccess(await prepareDataFolder(data, data === defaultDataFolder({ testing })));
  return openFolder(data, { durability, logger: output, ...(await readEncryption(options.encryptionKey)) });
}

function tlsFacts(tls: LaunchTls | undefined, certificate: CertificateFacts | undefined): TlsFacts | null {
  if (tls === undefined || certificate === undefined) return null;
  const { fingerprint, expires } = certificate;
  return { certificate: tls.kind, fingerprint, expires: expires.toISOString(), file: tls.file ?? null };
}

async function measure({ data }: LaunchOptions, storage: Storage, { url, port }: ListeningSocket) {
  return {
    version: VERSION,
    url,
    port,
    storage: storage.traits.adapter,
    durability: storage.traits.durability,
    sizeBytes: data === undefined ? null : await sizeOnDisk(data),
    buckets: (await createMainSpace(storage).listBuckets()).length,
  };
}

function announce(facts: ServerFacts, { host, insecure, cors, apiKeyFile, data }: LaunchOptions, output: Output): void {
  if (insecure && facts.protection === "insecure") {
    output.alarm([
      "INSECURE: other machines can read, change and delete everything here.",
      `It listens on ${host} without a key (--insecure). Use --auth required.`,
    ]);
  }
  if (cors.includes("*") && facts.protection !== "api-key" && facts.protection !== "keys") {
    output.warn("--cors '*' without a key lets any open web page read and change everything; use --auth required");
  }
  if (insecure && isLoopbackHost(host)) output.warn(`--insecure has no effect: only this machine reaches ${host}`);
  if (facts.protection === "keys" && facts.keys === 0) {
    const signIn = data === undefined ? "" : "sign in with activity-server open, or ";
    output.warn(`no key exists yet; ${signIn}create one with: activity-server keys add NAME --scope SCOPE`);
  }
  output.event("listening", { ...facts }, formatFacts(facts, apiKeyFile, output.paint));
}

/** @param createLink creates a sign-in link, for a page that requires one */
async function showInBrowser(
  { url, protection }: ServerFacts,
  { webui, data }: LaunchOptions,
  output: Output,
  createLink: () => Promise<{ readonly path: string }>,
): Promise<void> {
  const page = webui === false ? `${url}/api/0/info` : `${url}/`;
  const isClosed = protection === "keys" || protection === "api-key";
  const fault =
    isClosed && webui === true && data !== undefined
      ? await openSignIn(url + (await createLink()).path, data)
      : await openBrowser(page);
  if (fault !== undefined) output.warn(`cannot open a browser (${fault}); go to ${page}`);
}

/** Logs each completed request. Never a body, because bodies contain window titles. */
function logRequests(handler: RequestListener, output: Output): RequestListener {
  return (request, response) => {
    const began = performance.now();
    const path = printable(request.url ?? "", 200);
    response.once("close", () => {
      const { method = "?" } = request;
      const status = response.writableFinished ? response.statusCode : null;
      const millis = Math.round(performance.now() - began);
      const text = `${method} ${path} ${status ?? "cut off"} ${millis} ms`;
      output.detail("request", { method, path, status, millis }, text);
    });
    return handler(request, response);
  };
}
