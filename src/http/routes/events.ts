import type { EVENT_OPERATIONS } from "../../api/subjects/events.js";
import { type PrintedChunk, printed, type StoredEvent } from "../../domain/event.js";
import { ActivityError, quote } from "../../errors.js";
import { wireParser } from "../../wire/parse.js";
import { answeredEvents, printEvent } from "../../wire/print.js";
import { printList } from "../../wire/print-list.js";
import type { RunPrinter } from "../../wire/print-run.js";
import { readJson } from "../body.js";
import { jsonAnswer, type Piece } from "../exchange.js";
import { parseLimit, parsePulsetime, parseRange } from "../parameters.js";
import { gather } from "../pieces.js";
import type { Handlers, RouteContext } from "../route.js";
import { bucketIdOf } from "./buckets.js";

/** The event that the path names. An id that is no number names no event (contract rest.md 4.3). */
function eventIdOf({ params }: RouteContext): number {
  const text = params.get("eventId") as string;
  const id = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(id)) return id;
  throw new ActivityError("NO_SUCH_EVENT", `no event has the id ${quote(text)}`);
}

async function* printEvents(chunks: AsyncIterable<PrintedChunk>, printer: RunPrinter): AsyncGenerator<Piece> {
  yield "[";
  yield* answeredEvents(chunks, printer);
  yield "]";
}

/** Contract rest.md 4.3 and 4.4. */
export const eventHandlers: Handlers<keyof typeof EVENT_OPERATIONS> = {
  async getEvents({ search }, context) {
    const { service, printers } = context;
    const bucketId = bucketIdOf(context);
    // Asked for before anything is read: a change in between makes the answer outdated, not the other way round.
    const revision = service.revision(bucketId);
    const body = await printers.answers.answer(JSON.stringify([bucketId, search]), revision, () => {
      const limit = parseLimit(context.query);
      const range = { ...parseRange(context.query), ...(limit === undefined ? {} : { limit }) };
      return gather(printEvents(service.readPrinted(bucketId, range), printers.runs));
    });
    return jsonAnswer(body);
  },

  async insertEvents(exchange, context) {
    const body = await readJson(exchange, context.limits.bodyLimitBytes);
    const list = Array.isArray(body) ? body : [body];
    const drafts = list.map((event, index) =>
      wireParser.event(event, body === list ? `event ${index}` : "the event", true),
    );
    const events = await context.service.insertEvents(bucketIdOf(context), drafts);
    return jsonAnswer(body === list ? printList(events) : printEvent(printed(events[0] as StoredEvent)));
  },

  async countEvents(_exchange, context) {
    const count = await context.service.countEvents(bucketIdOf(context), parseRange(context.query));
    return jsonAnswer(String(count));
  },

  async getEvent(_exchange, context) {
    return jsonAnswer(printEvent(printed(await context.service.getEvent(bucketIdOf(context), eventIdOf(context)))));
  },

  async deleteEvent(_exchange, context) {
    const success = await context.service.deleteEvent(bucketIdOf(context), eventIdOf(context));
    return jsonAnswer(JSON.stringify({ success }));
  },

  async heartbeat(exchange, context) {
    const body = await readJson(exchange, context.limits.bodyLimitBytes);
    const pulsetime = parsePulsetime(context.query);
    const beat = wireParser.event(body, "the heartbeat", false);
    return jsonAnswer(printEvent(printed(await context.service.heartbeat(bucketIdOf(context), beat, pulsetime))));
  },
};
