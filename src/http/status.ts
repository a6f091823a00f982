/** The words behind the statuses in use: some clients show nothing else. */
const STATUS_TEXTS: Readonly<Record<number, string>> = {
  200: "OK",
  204: "No Content",
  304: "Not Modified",
  307: "Temporary Redirect",
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  413: "Content Too Large",
  415: "Unsupported Media Type",
  431: "Request Header Fields Too Large",
  500: "Internal Server Error",
  503: "Service Unavailable",
  507: "Insufficient Storage",
};

export function statusTextOf(status: number): string {
  return STATUS_TEXTS[status] ?? "";
}
