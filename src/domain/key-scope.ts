/** A right of a key: `admin`, or a kind of access to the buckets whose IDs match a pattern, such as `read:window_*`. */
export type KeyScope = "admin" | `${"read" | "append" | "write"}:${string}`;
