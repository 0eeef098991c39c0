import { createServer } from "./server.ts";

const port = Number(Deno.env.get("PORT") ?? 3000);
Deno.serve({ hostname: "127.0.0.1", port }, createServer().fetch);
