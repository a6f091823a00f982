// Requests of every spelling, for the comparison of the two ways.
import { words } from "../words.js";

/** Bucket ids as they stand in a path. Of those that the servers hold several spellings are among them. */
export const IDS: readonly string[] = [
  ...words`b B none empty big a%2Fb a%2fb a/b %C3%BC %c3%bc %FC %ff % %2 %zz 100%25 100% %2525 %62 b%00 b%0A %20b b%20`,
  ...words`+ b+ b;x=1 b, b@ b: :b :: * ** b& b= b! b' (b) $b ~b - _ .b b. ... b..b {b} b{ b} b^ b%5Cc %5C b" b< b> b|c`,
  ...words`__proto__ constructor toString hasOwnProperty events export heartbeat count 0 b%3Fx`,
  ...words`b%23x b%2F %2Fb %2F b%2E %7B b%7C %E2%82%AC %ED%A0%80 %F0%9F%98%80 %C0%AF`,
  ...["b`", "\u00c3\u00bc", "\u00fc", "a".repeat(1023), "a".repeat(5000)],
];

/** Ids that URL parsers take for something else than a name. */
export const REWRITTEN_IDS: readonly string[] = words`b\c \ b\ b\.. . .. %2e %2E%2e .%2e`;

export const PATHS: readonly string[] = words`
  /api/0/buckets/b/events/ /api/0/buckets/b/events// //api/0/buckets/b/events /api//0/buckets//b///events
  /api/0/buckets//events /api/0/buckets/b/events/x /api/0/buckets/b/events/count /api/0/buckets/b/Events
  /API/0/buckets/b/events /api/0/Buckets/b/events /api/0/buckets/b/event%73 /%61pi/0/buckets/b/events
  /api/0/buckets/b%2Fevents /api/0/buckets/b/export/ /api/0/export/ /api/0/export// //api/0/export
  /api/0/export/x /api/0/exports /api/0/expor%74 /api/1/export /api/00/export /api/0/export;x /api/0/export%20
  /api/0/buckets/b/heartbeat /api/0/buckets/b/heartbeat/ /api/0/buckets/b/events;x /api/0/buckets/b/./events
  /api/0/buckets/b/events#x /api/0/buckets/b/events?#x /api/0/export# /api/0/export?limit=1#x /api/0/ex%port
  http://localhost:5600/api/0/export http://localhost:5600/api/0/buckets/b/events?limit=1
  http://localhost:5600//api//0/export HTTP://LOCALHOST/api/0/buckets/b/export https://localhost/api/0/export
  http://evil.example/api/0/export http://user@localhost/api/0/export http:/api/0/export x://y/api/0/export`;

const TIMES = ["", ...words`1970-01-01T00:00:01Z 1970-01-01 1970-01-01T00:00:01%2B00:00 1970-01-01T00:00:01+00:00 x`];

export const QUERIES: readonly string[] = [
  ...words`? ?? ?& ?&& ?= ?limit ?limit= ?limit=1 ?limit=0 ?limit=-1 ?limit=-0 ?limit=%31 ?limit=+1 ?limit=%2B1
    ?limit=1.5 ?limit=x ?limit=1&limit=x ?limit=x&limit=1 ?Limit=x ?limit%3D1 ?%6Cimit=1 ?limit=99999999999999999999
    ?limit=1;x=1 ?limit=1%00 ?limit=% ?limit=%ff ?limit=%zz ?limit=1?limit=2 ?limit=1/ ?limit=1//2 ?x=//&limit=1
    ?limit=1&x=%C3%BC ?limit='1' ?limit="1" ?limit=<1> ?limit=\ ?limit=1&x={}
    ?pulsetime=1 ?pulsetime=1e1 ?pulsetime= ?pulsetime=%2B5 ?pulsetime=1&pulsetime=x ?pulsetime=.5 ?pulsetime=5.
    ?constructor=1&limit=1 ?__proto__=1&limit=1 ?start=1970-01-02&end=1970-01-01 ?limit=1#&limit=x`,
  ...["", "?limit=`", "?limit=\u00fc", "?\u00fc=1&limit=2"],
  ...TIMES.flatMap((time) => [`?start=${time}`, `?end=${time}`, `?start=${time}&end=${time}&limit=2`]),
];

/** Lines of headers that decide who may do what. */
export const HEADERS: readonly (readonly string[])[] = [
  [],
  ["Host:"],
  ["Host: local host"],
  ...words`localhost LOCALHOST:1 127.0.0.1 [::1]:5600 evil.example localhost.evil.example x@localhost
    localhost:5600/api localhost:port`.map((host) => [`Host: ${host}`]),
  ["Host: localhost", "Host: evil.example"],
  ["Host: evil.example", "Host: localhost"],
  ["Host: localhost", "X-Forwarded-Host: evil.example", "X-Forwarded-Proto: https"],
  ...[
    ...words`http://localhost:5600 http://127.0.0.1:5600 http://localhost:5601 https://localhost:5600
      http://trusted.example http://TRUSTED.example http://a.regex.example http://a.regex.example.evil
      moz-extension://abc chrome-extension://nglaklhklhcoonedhgnpgddginnjdadi chrome-extension://other null
      http://evil.example`,
    ...["", "\u00fc"],
  ].map((origin) => ["Host: localhost:5600", `Origin: ${origin}`]),
  ["Host: localhost:5600", "Origin: http://trusted.example", "Origin: http://evil.example"],
  ["Host: localhost:5600", "Origin: http://trusted.example", "Access-Control-Request-Headers: a, \u00fc"],
  ["Host: localhost:5600", "Origin: moz-extension://abc", "Access-Control-Request-Method: POST"],
  ["Host: localhost:5600", "Accept: text/html", "Accept-Encoding: gzip, br", "Range: bytes=0-5", "If-None-Match: *"],
  ["Host: localhost:5600", "X-HTTP-Method-Override: DELETE", "Upgrade: h2c", "__proto__: x", "constructor: y"],
];
