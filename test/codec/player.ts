// Plays one scenario against a server that listens on 127.0.0.1.
import { type Bindings, differenceOf, type MatchOptions } from "./match.js";
import { heartbeatSpec, wireRequest, withPort } from "./requests.js";
import type { Expectation, Json, RequestSpec, Scenario, Step } from "./scenario.js";
import { type WireAnswer, type WireClient, wireClient } from "./socket.js";

/** How one step went. */
export interface StepResult {
  /** `<scenario>#<number>` */
  readonly name: string;
  /** What was sent and where the answer departs from what is expected; `undefined` when it does not. */
  readonly difference?: string;
}

interface Play {
  readonly client: WireClient;
  readonly port: number;
  readonly bindings: Bindings;
}

/** Plays all steps in order. A step that fails does not end the play: the next ones may still tell something. */
export async function playScenario(scenario: Scenario, port: number): Promise<StepResult[]> {
  const client = wireClient(port);
  const play: Play = { client, port, bindings: { ids: new Map() } };
  const results: StepResult[] = [];
  try {
    for (const step of scenario.steps) {
      const name = `${scenario.scenario}#${step.n}`;
      const difference = await playStep(step, play).catch(String);
      results.push(difference === undefined ? { name } : { name, difference });
    }
  } finally {
    client.close();
  }
  return results;
}

async function playStep(step: Step, play: Play): Promise<string | undefined> {
  if (step.heartbeats) return playHeartbeats(step, play);
  if (!step.request) throw new Error("malformed scenario: a step without a request");
  const { method, path, parallel } = step.request;
  const difference = parallel
    ? await playParallel(step.request, parallel, step.expect, play)
    : await playOne(step.request, step.expect, play);
  return difference && `${method} ${path}: ${difference}`;
}

async function playOne(request: RequestSpec, expect: Expectation, play: Play): Promise<string | undefined> {
  const answer = await play.client.send(wireRequest(request, play.port, play.bindings));
  return answerDifference(request.method, answer, expect, play);
}

async function playParallel(
  request: RequestSpec,
  times: number,
  expect: Expectation,
  play: Play,
): Promise<string | undefined> {
  const wire = wireRequest(request, play.port, play.bindings);
  const answers = await Promise.all(Array.from({ length: times }, () => play.client.send(wire)));
  const counts: Record<string, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  const difference = differenceOf(expect.statuses ?? {}, counts, matchOptions({}, play));
  return difference && `statuses${difference}`;
}

/** One after another; each answer is the event that now covers the beat, so it carries the data of the beat. */
async function playHeartbeats({ heartbeats, expect }: Step, play: Play): Promise<string | undefined> {
  if (!heartbeats) return undefined;
  for (const index of heartbeats.items.keys()) {
    const [id, timestamp, duration] = expect.responses?.[index] ?? [];
    const data = heartbeats.datas[heartbeats.items[index]?.[2] ?? -1];
    if (id === undefined || timestamp === undefined || duration === undefined || data === undefined) {
      throw new Error(`malformed scenario: heartbeat ${index} lacks its answer or data`);
    }
    const single = {
      ...(expect.status !== undefined && { status: expect.status }),
      body: { id, timestamp, duration, data },
    };
    const difference = await playOne(heartbeatSpec(heartbeats, index), single, play);
    if (difference) return `heartbeat ${index}: ${difference}`;
  }
  return undefined;
}

function answerDifference(method: string, answer: WireAnswer, expect: Expectation, play: Play): string | undefined {
  const allowed = [expect.status ?? []].flat();
  if (allowed.length > 0 && !allowed.includes(answer.status)) {
    return `expected status ${allowed.join(" or ")}, got ${answer.status} ${answer.body.toString().slice(0, 300)}`;
  }
  for (const [name, value] of Object.entries(expect.headers ?? {})) {
    const wanted = value === null ? undefined : withPort(value, play.port);
    const actual = headerOf(name, answer);
    if (actual !== wanted) return `header ${name}: expected ${wanted ?? "none"}, got ${actual ?? "none"}`;
  }
  // The answer to HEAD describes a body and has none.
  if (method === "HEAD") return answer.body.length === 0 ? undefined : "HEAD was answered with a body";
  return expect.body === undefined ? undefined : bodyDifference(expect.body, answer, expect, play);
}

/** Of a content type only the media type counts. */
function headerOf(name: string, answer: WireAnswer): string | undefined {
  const value = answer.headers[name.toLowerCase()];
  const text = Array.isArray(value) ? value.join(", ") : value;
  return name.toLowerCase() === "content-type" ? text?.split(";")[0]?.trim().toLowerCase() : text;
}

function bodyDifference(body: Json, answer: WireAnswer, expect: Expectation, play: Play): string | undefined {
  const text = answer.body.toString();
  if (body === "<html page>") {
    return /^\s*(<!doctype html|<html)/i.test(text) ? undefined : `expected an HTML page, got ${text.slice(0, 300)}`;
  }
  let parsed: Json | undefined;
  try {
    parsed = text === "" ? undefined : JSON.parse(text);
  } catch {
    return `expected JSON, got ${text.slice(0, 300)}`;
  }
  return differenceOf(body, parsed, matchOptions(expect, play));
}

function matchOptions({ match = "exact", exactKeys = {} }: Expectation, { bindings }: Play): MatchOptions {
  return { bindings, match, exactKeys, now: Date.now() };
}
