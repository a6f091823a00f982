/** What ids of buckets begin with that only the trash sees (docs/trash.md#how-it-is-kept). */
const PREFIX = ".trash/";

/** Whether a bucket is one of the trash: for everybody else it does not exist. */
export function isHidden(bucketId: string): boolean {
  return bucketId.startsWith(PREFIX);
}

/** The id under which an entry of the trash keeps a bucket, or events of one, or what an undo of it needs to know. */
export function hiddenId(entryId: string, place: number | "notes"): string {
  return `${PREFIX}${entryId}/${place}`;
}
