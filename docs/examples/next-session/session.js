import { jwtVerify, SignJWT } from "jose";

const secret = () => new TextEncoder().encode(process.env.SESSION_SECRET);

/** Creates the value of a session cookie. */
export function createSession(user) {
  return new SignJWT({ user }).setProtectedHeader({ alg: "HS256" }).setExpirationTime("7d").sign(secret());
}

/** Returns the user whose session cookie a request has, or undefined. */
export async function userOf(request) {
  const session = request.cookies.get("session");
  if (session === undefined) return undefined;
  const verified = await jwtVerify(session.value, secret()).catch(() => undefined);
  return verified?.payload.user;
}
