/** For `getSession` and `useSession`. Nuxt encrypts the session into its cookie. */
export const SESSION = {
  name: "session",
  password: process.env.SESSION_SECRET,
  cookie: { httpOnly: true, sameSite: "strict" },
};
