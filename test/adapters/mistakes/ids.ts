import { HEAD, type Mistake, NUMBER_BEAT, NUMBER_DRAFTS } from "./mistake.js";

const GREATEST = "const greatest = (lists) => Math.max(0, ...lists.flat().map(({ id }) => id));";
const ALL = "[...now.shelves.values()].map(({ events }) => events)";

export const IDS: readonly Mistake[] = [
  {
    mistake: "the next id is one above the greatest that is stored",
    caught: "the id of a deleted event is not given out again",
    promise: "ids",
    told: "expected [ 1, 2, 3, 4, 5 ], got [ 1, 2, 3, 3, 1 ]",
    edits: [
      [HEAD, `${GREATEST}\n${HEAD}`],
      [NUMBER_DRAFTS, `numbered(drafts, 1 + greatest(${ALL}))`],
      [NUMBER_BEAT, `numbered(merged ? [] : [beat], 1 + greatest(${ALL}))`],
    ],
  },
  {
    mistake: "each bucket has a counter of its own",
    caught: "one counter numbers the events of all buckets from 1",
    promise: "ids",
    told: "expected [ 1, 2, 3, 4, 4, 5, 6, 7 ], got [ 1, 2, 1, 3, 3, 2, 4, 5 ]",
    edits: [
      [HEAD, `${GREATEST}\n${HEAD}`],
      [NUMBER_DRAFTS, "numbered(drafts, 1 + greatest(events))"],
      [NUMBER_BEAT, "numbered(merged ? [] : [beat], 1 + greatest(events))"],
    ],
  },
  {
    mistake: "the counter is not stored, but computed when the data are opened",
    caught: "ids deleted before a reopening are not given out after it",
    promise: "ids",
    told: "ids 1,2,3 were given out, 3 was used before",
    edits: [
      [HEAD, `${GREATEST}\n${HEAD}`],
      [
        "return { ...state, settings:",
        "return { ...state, nextId: 1 + greatest(state.shelves.map(([, { events }]) => events)), settings:",
      ],
    ],
  },
  {
    mistake: "ids that drafts bring do not move the counter",
    caught: "an unknown id is kept and moves the counter above itself",
    promise: "givenIds",
    told: "id 1 was given out behind 1000",
    edits: [
      [
        "withShelf({ ...now, nextId }, { bucket, events: placed(events, stored) })",
        `withShelf({ ...now, nextId: now.nextId + drafts.filter(({ id }) => id === undefined).length }, {
          bucket,
          events: placed(events, stored),
        })`,
      ],
    ],
  },
  {
    mistake: "new ids are given before the ids of the other drafts are looked at",
    caught: "a new id is never one that the same call brings",
    promise: "newId",
    told: "different ids among [ 1, 1, 2, 2, 3, 4 ]: expected 6, got 4",
    edits: [
      [
        `const { events: stored, nextId } = ${NUMBER_DRAFTS};`,
        `let nextId = now.nextId;
        const stored = drafts.map((draft) => {
          const id = draft.id ?? nextId++;
          nextId = Math.max(nextId, id + 1);
          return { ...draft, id };
        });`,
      ],
    ],
  },
  {
    mistake: "one huge id uses the counter up",
    caught: "the last ids are kept and leave the counter alone",
    promise: "lastIds",
    told: "were given out behind the last ones",
    edits: [
      [
        `const { events: stored, nextId } = ${NUMBER_DRAFTS};`,
        `let nextId = Math.max(now.nextId, ...drafts.map(({ id = 0 }) => id + 1));
        const stored = drafts.map((draft) => ({ ...draft, id: draft.id ?? nextId++ }));`,
      ],
    ],
  },
];
