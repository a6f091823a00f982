/** What operators ask a server about its storage: docs/operations.md. */
export const STORAGE_OPERATIONS = {
  getHealth: {
    route: "GET /api/0/health",
    summary: "Say whether the storage is sound",
    description: `Anybody learns whether all is well. With an admin key or the control token the response also holds the
      state of the storage, what is damaged, when everything was checked last, and the space that is left. To a
      \`challenge\` the server proves that it knows its control token.`,
    // Monitoring asks without a key; what it learns is one word.
    open: true,
    call: "health",
    raw: true,
    parameters: ["challenge"],
    answer: "Health",
    says: "`ok`, or `degraded` when writes are refused or something is damaged.",
    example: { status: "ok" },
  },
  backUpStorage: {
    route: "GET /api/0/storage/backup",
    summary: "Back up everything that is stored",
    description: `A consistent state, as of the moment of the request, while writing goes on: buckets, events with their
      ids, settings, private records and the device id.`,
    needs: "operator",
    answer: "JsonLines",
    says: "The backup, as a file of JSON lines. The last line holds the checksum of all others.",
    example: '{"kind":"backup","format":"activity-server-backup","version":1}\n',
    headers: { "Content-Disposition": "`attachment`, with the name `activity-server-backup.jsonl`." },
    mediaType: "application/x-ndjson",
  },
  verifyStorage: {
    route: "POST /api/0/storage/verify",
    summary: "Check everything that is stored",
    description: `Reads everything that is kept. The response has a line for each step (\`progress\`), for each fault
      (\`problem\`), and one at the end (\`verified\`, or \`error\` when the check could not be finished).`,
    needs: "operator",
    answer: "JsonLines",
    says: "What was found, as JSON lines, while it is found.",
    example: '{"event":"verified","sound":true,"problems":0,"buckets":3,"events":12000,"bytes":480000}\n',
    mediaType: "application/x-ndjson",
  },
} as const;
