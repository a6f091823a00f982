// The least that a server can be: node bench/scale/plain.mjs PORT
import http from "node:http";

const body = "{}";
const headers = { "content-type": "application/json", "content-length": body.length };
http
  .createServer((_request, response) => response.writeHead(200, headers).end(body))
  .listen(Number(process.argv[2]), "127.0.0.1");
