/**
 * Serves the API on this machine, over data that goes with the process:
 * `deno run -A examples/rest/main.ts`. `PORT` picks the port, and `INVOICES_TOKEN` a token that writes
 * ask for.
 *
 * @module
 */
import { InvoiceDatabase } from "../invoices/database.ts";
import { seed } from "../invoices/seed.ts";
import { createApp } from "./app.ts";

const database = new InvoiceDatabase(":memory:");
seed(database);
const app = createApp(database, { token: Deno.env.get("INVOICES_TOKEN") });
const port = Number(Deno.env.get("PORT") ?? "8001");
Deno.serve({ hostname: "127.0.0.1", port }, app.fetch);
