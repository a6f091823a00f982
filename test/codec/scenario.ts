// The recorded REST cases as data. The format is described in test/conformance/rest/README.md.
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

export interface Scenario {
  readonly scenario: string;
  readonly notes: string;
  readonly server: ScenarioServer;
  readonly steps: readonly Step[];
}

/** The options with which the server has to be started. */
export interface ScenarioServer {
  readonly testing?: boolean;
  readonly apiKey?: string;
  readonly cors?: string[];
  readonly corsRegex?: string[];
  readonly host?: string;
}

/** One request or a run of heartbeats, and what has to come back. */
export interface Step {
  readonly n: number;
  readonly request?: RequestSpec;
  readonly heartbeats?: HeartbeatRun;
  readonly expect: Expectation;
}

export interface RequestSpec {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: Json;
  readonly text?: string;
  readonly contentType?: string | null;
  readonly generate?: GeneratedEvents;
  readonly multipart?: readonly FormPart[];
  readonly host?: string | null;
  readonly parallel?: number;
}

export interface GeneratedEvents {
  readonly count: number;
  readonly start: string;
  readonly stepSeconds: number;
  readonly duration: number;
  readonly data: Readonly<Record<string, Json>>;
}

export interface FormPart {
  readonly name: string;
  readonly filename: string | null;
  readonly contentType: string | null;
  readonly text: string;
}

export interface HeartbeatRun {
  readonly bucket: string;
  readonly datas: readonly Json[];
  /** `[timestamp, duration, index into datas, text of pulsetime]` */
  readonly items: readonly (readonly [string, number, number, string])[];
}

export interface Expectation {
  readonly status?: number | readonly number[];
  readonly body?: Json;
  readonly match?: "exact" | "subset";
  readonly exactKeys?: Readonly<Record<string, readonly string[]>>;
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly statuses?: Readonly<Record<string, number>>;
  /** Of a run of heartbeats: `[id, timestamp, duration]` of each answer. */
  readonly responses?: readonly (readonly [Json, string, number])[];
}

const FOLDER = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../conformance/rest");

/** Reads all scenarios, ordered by name. */
export function loadScenarios(): Scenario[] {
  const names = fs.readdirSync(FOLDER).filter((name) => name.endsWith(".json"));
  return names.sort().map((name) => JSON.parse(fs.readFileSync(path.join(FOLDER, name), "utf8")));
}
