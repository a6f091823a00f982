import { SESSION } from "../utils/session.js";

export default defineEventHandler(async (event) => {
  // Check a password here.
  const { name } = await readBody(event);
  const session = await useSession(event, SESSION);
  await session.update({ user: { name: String(name) } });
  return "welcome\n";
});
