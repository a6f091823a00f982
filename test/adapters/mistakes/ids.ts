import { type Mistake, NUMBERED, STORED } from "./mistake.js";

const GREATEST = "Math.max(0, ...events.map(({ id }) => id))";

export const IDS: readonly Mistake[] = [
  {
    mistake: "the next id is one above the greatest that is stored",
    caught: "the id of a deleted event is not given out again",
    promise: "ids",
    told: "with deletions between: ids [ 1, 2, 3, 3, 1 ] do not grow",
    edits: [[NUMBERED, NUMBERED.replace("state.nextId", `1 + ${GREATEST}`)]],
  },
  {
    mistake: "the counter is not stored, but computed when the data are opened",
    caught: "ids deleted before a reopening are not given out after it",
    promise: "ids",
    told: "ids 1,2,3 were given out, 3 was used before",
    edits: [
      [
        "(state) => [state.bucket.id, state]",
        `({ events, ...state }) => [state.bucket.id, { ...state, events, nextId: 1 + ${GREATEST} }]`,
      ],
    ],
  },
  {
    mistake: "ids of drafts do not move the counter",
    caught: "an unknown id is kept and moves the counter above itself",
    promise: "givenIds",
    told: "id 1 was given out behind 1000",
    edits: [
      [
        STORED,
        STORED.replace("nextId }", "nextId: state.nextId + drafts.filter(({ id }) => id === undefined).length }"),
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
        `const { events: stored, nextId } = ${NUMBERED};`,
        `let nextId = state.nextId;
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
        `const { events: stored, nextId } = ${NUMBERED};`,
        `let nextId = Math.max(state.nextId, ...drafts.map(({ id = 0 }) => id + 1));
  const stored = drafts.map((draft) => ({ ...draft, id: draft.id ?? nextId++ }));`,
      ],
    ],
  },
];
