import type { OriginStanding } from "../../src/http/guard.js";
import { words } from "../words.js";

/** Host headers of the names under which a loopback server is reached. */
export const LOOPBACK_HOSTS: readonly string[] = words`
  localhost localhost:5600 localhost: LOCALHOST:5600 LocalHost 127.0.0.1 127.0.0.1:1 [::1] [::1]:5600`;

/** What pages under other names, or people who try to look local, send. */
export const FOREIGN_HOSTS: readonly (string | undefined)[] = [
  ...[undefined, "", " ", " localhost", "localhost ", "localhost evil", "localhost: 80"],
  ...["localhost\n", "localhost\nevil", "localhost\r\nX: y", "localhost\u0000"],
  ...words`:5600 evil.example evil.example:5600 localhost.evil.example localhost.evil localhost. evil.localhost xlocalhost
    x@localhost x:y@localhost localhost@evil.example localhost:80@evil localhost:80@evil:5600
    localhost:5600.evil.example localhost:80:80 localhost:abc localhost:-1 localhost/ localhost/evil evil/localhost
    localhost?evil localhost#evil localhost\evil localhost,evil.example localhost; http://localhost //localhost
    127.0.0.2 127.0.0.1.evil.example 127.0.0.10 127.1 127.000.000.001 2130706433 0x7f.0.0.1 0.0.0.0 0 192.168.1.5
    ::1 ::1:5600 [::1 ::1] [::1]x [::1].evil.example [::1]@evil [::1]:80@evil [[::1]] [::2] [::] [::ffff:127.0.0.1]
    [0:0:0:0:0:0:0:1] [localhost] * false`,
];

const STORE_EXTENSION = "chrome-extension://nglaklhklhcoonedhgnpgddginnjdadi";

const TRUSTED = words`http://127.0.0.1:5600 http://localhost:5600 http://LOCALHOST:5600 http://[::1]:5600`;
const WATCHERS = ["moz-extension://2f0b9d04-7b3c-4a55-9d57-1c7d8b1f0a11", STORE_EXTENSION];
const FOREIGN = [
  ...["", "http://localhost:5600 ", " http://localhost:5600", "http://localhost:5600\n"],
  ...["http://localhost:5600, http://evil.example", "moz-extension://x, https://evil.example"],
  ...[`${STORE_EXTENSION}x`, `${STORE_EXTENSION}/`, `${STORE_EXTENSION}.evil.example`, STORE_EXTENSION.toUpperCase()],
  ...words`null * http:// http://evil.example http://evil.example:5600 http://localhost http://localhost:80
    http://localhost:5601 http://localhost:56000 http://localhost: https://localhost:5600 HTTP://localhost:5600
    //localhost:5600 localhost:5600 ftp://localhost:5600 file:// http://localhost.evil http://localhost.evil:5600
    http://evil.localhost:5600 http://localhost:5600.evil.example http://localhost:5600@evil.example
    http://localhost:80@evil:5600 http://x@localhost:5600 http://localhost:5600/ http://localhost:5600/evil
    http://localhost:5600?x http://http://localhost:5600 http://127.0.0.1.nip.io:5600 http://127.0.0.2:5600
    http://127.1:5600 http://0.0.0.0:5600 http://[::]:5600 http://[::1]:5600:5600 http://127.0.0.1:27180
    http://localhost:27180 chrome-extension://abcdefghijklmnopabcdefghijklmnop moz-extension: moz-extension.evil.example
    http://moz-extension://x xmoz-extension://x moz-extension:// MOZ-EXTENSION://x safari-web-extension://x`,
];

/** docs/reference/compatibility.md#origins, with no option set, for a request to port 5600. */
export const STANDINGS: readonly (readonly [origin: string, standing: OriginStanding])[] = [
  ...TRUSTED.map((origin) => [origin, "trusted"] as const),
  ...WATCHERS.map((origin) => [origin, "watcher"] as const),
  ...FOREIGN.map((origin) => [origin, "foreign"] as const),
];
