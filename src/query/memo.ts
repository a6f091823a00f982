import type { EventList } from "../domain/event-list.js";
import type { Steps } from "../transforms/list.js";

/** What was made of a list before. Goes with the list: lists never change, so it stays right. */
interface Made {
  /** By what was done, in words. */
  readonly byName: Map<string, EventList>;
  /** By the other list that it was done with. */
  readonly byList: WeakMap<EventList, EventList>;
}

/** Only large lists are worth it; that is where a query spends its time. */
const FEWEST_EVENTS = 1_000;

/** Different things that are done to one list. */
const MOST_NAMES = 8;

const madeOf = new WeakMap<EventList, Made>();

function madeOfList(list: EventList): Made {
  const known = madeOf.get(list) ?? { byName: new Map(), byList: new WeakMap() };
  madeOf.set(list, known);
  return known;
}

/**
 * Gives what was made of a list before, or makes it: views of the same period read the same buckets and begin with the
 * same steps.
 *
 * @param name what is done, with everything that it depends on
 */
export function* once(list: EventList, name: string, make: () => Steps<EventList>): Steps<EventList> {
  if (list.length < FEWEST_EVENTS) return yield* make();
  const { byName } = madeOfList(list);
  const known = byName.get(name);
  if (known !== undefined) return known;
  const made = yield* make();
  if (byName.size >= MOST_NAMES) byName.clear();
  byName.set(name, made);
  return made;
}

/** The same for what is made of two lists, in one way only. */
export function* onceWith(list: EventList, other: EventList, make: () => Steps<EventList>): Steps<EventList> {
  if (list.length < FEWEST_EVENTS) return yield* make();
  const { byList } = madeOfList(list);
  const known = byList.get(other);
  if (known !== undefined) return known;
  const made = yield* make();
  byList.set(other, made);
  return made;
}
