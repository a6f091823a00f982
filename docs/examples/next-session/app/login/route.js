import { NextResponse } from "next/server";
import { createSession } from "../../session.js";

export async function POST(request) {
  // Check a password here.
  const { name } = await request.json();
  const response = new NextResponse("welcome\n");
  response.cookies.set("session", await createSession({ name: String(name) }), { httpOnly: true, sameSite: "strict" });
  return response;
}
