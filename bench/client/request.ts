/** Builds requests for a server on this machine. */
export function get(port: number, path: string): Buffer {
  return Buffer.from(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n\r\n`);
}

/** The head of a POST with a JSON body of some length. */
export function postHead(port: number, path: string, bodyBytes: number): Buffer {
  const type = `content-type: application/json\r\ncontent-length: ${bodyBytes}\r\n`;
  return Buffer.from(`POST ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n${type}\r\n`);
}

export function post(port: number, path: string, body: string): Buffer {
  const bytes = Buffer.from(body);
  return Buffer.concat([postHead(port, path, bytes.length), bytes]);
}

/** A heartbeat's request. Its timestamp changes in place before each use. */
export interface Beat {
  readonly bytes: Buffer;
  /** The position of the 19 characters `YYYY-MM-DDTHH:MM:SS`. */
  readonly at: number;
}

const BEAT_TIME = "2000-01-01T00:00:00";

/** A heartbeat of a bucket, with data as JSON. */
export function beat(port: number, bucketId: string, data: string): Beat {
  const body = `{"timestamp":"${BEAT_TIME}.500000+00:00","duration":0,"data":${data}}`;
  const bytes = post(port, `/api/0/buckets/${bucketId}/heartbeat?pulsetime=60`, body);
  return { bytes, at: bytes.indexOf(BEAT_TIME) };
}

const SECONDS_PER_DAY = 86_400;
const ZERO = 48;
const dates = new Map<number, Buffer>();

/** Writes a time, in seconds since 1970, into a heartbeat. It allocates only once a day. */
export function setTime({ bytes, at }: Beat, seconds: number): void {
  const day = Math.floor(seconds / SECONDS_PER_DAY);
  let date = dates.get(day);
  if (date === undefined) {
    date = Buffer.from(new Date(day * SECONDS_PER_DAY * 1000).toISOString().slice(0, 11));
    dates.set(day, date);
  }
  bytes.set(date, at);
  const ofDay = seconds - day * SECONDS_PER_DAY;
  twoDigits(bytes, at + 11, Math.floor(ofDay / 3600));
  twoDigits(bytes, at + 14, Math.floor(ofDay / 60) % 60);
  twoDigits(bytes, at + 17, ofDay % 60);
}

function twoDigits(bytes: Buffer, at: number, value: number): void {
  bytes[at] = ZERO + Math.floor(value / 10);
  bytes[at + 1] = ZERO + (value % 10);
}
