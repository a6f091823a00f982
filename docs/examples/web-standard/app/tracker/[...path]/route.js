import { server } from "../../../tracker.js";

export const GET = server.fetch;
export const POST = server.fetch;
export const PUT = server.fetch;
export const DELETE = server.fetch;
export const HEAD = server.fetch;
export const OPTIONS = server.fetch;
