// Forms as browsers send them.

const BOUNDARY = "----a-boundary";

/** A form with documents in its files, and the header that goes with it. */
export function form(...documents: readonly string[]): { body: string; headers: Readonly<Record<string, string>> } {
  const parts = documents.map((text, index) => {
    const names = `name="buckets${index}"; filename="export-${index}.json"`;
    const head = `Content-Disposition: form-data; ${names}\r\nContent-Type: application/json`;
    return `--${BOUNDARY}\r\n${head}\r\n\r\n${text}\r\n`;
  });
  return {
    body: `${parts.join("")}--${BOUNDARY}--\r\n`,
    headers: { "Content-Type": `multipart/form-data; boundary=${BOUNDARY}` },
  };
}
