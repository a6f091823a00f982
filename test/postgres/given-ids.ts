/** A value without the numeric ids of its events: all namespaces of a database draw them from one sequence. */
export function withoutGivenIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutGivenIds);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(([name, member]) => name !== "id" || typeof member !== "number");
  return Object.fromEntries(members.map(([name, member]) => [name, withoutGivenIds(member)]));
}
