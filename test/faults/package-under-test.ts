// What is tested: this project, or another version of it, built, in the folder that FAULTS_PACKAGE names. Faults that an
// older version does not survive show that these tests can fail.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { CLI } from "../cli/launcher.js";

const OTHER: string | undefined = process.env["FAULTS_PACKAGE"];

/** Whether another version is tested, whose answers follow another OpenAPI document. */
export const IS_OTHER: boolean = OTHER !== undefined;

/** The launcher. */
export const LAUNCHER: string = OTHER === undefined ? CLI : join(OTHER, "dist/cli.js");

/** The server, to be embedded. */
export async function serverModule(): Promise<typeof import("../../src/index.js")> {
  return OTHER === undefined ? import("../../src/index.js") : import(pathToFileURL(join(OTHER, "dist/index.js")).href);
}

/** The storage in a folder. */
export async function leveldbModule(): Promise<typeof import("../../adapters/leveldb/index.js")> {
  if (OTHER === undefined) return import("../../adapters/leveldb/index.js");
  return import(pathToFileURL(join(OTHER, "dist/leveldb.js")).href);
}
