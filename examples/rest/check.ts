/**
 * Drives the API over a socket, and proves that no MCP is loaded for it.
 *
 * @module
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { runChecks } from "../_support/run_checks.ts";
import { InvoiceDatabase } from "../invoices/database.ts";
import { seed } from "../invoices/seed.ts";
import { createApp } from "./app.ts";
import { findModules } from "./find_modules.ts";

const TOKEN = "correct-horse-battery";
const database = new InvoiceDatabase(":memory:");
seed(database);
const app = createApp(database, { token: TOKEN, exportBatchMs: 0 });
const http = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, app.fetch);

/** Sends a request, as the owner unless a token is given, and answers status and body. */
async function send(method: string, path: string, sent?: object, token: string | null = TOKEN) {
  const headers = new Headers(token === null ? {} : { authorization: `Bearer ${token}` });
  if (sent !== undefined) headers.set("content-type", "application/json");
  const response = await fetch(`http://127.0.0.1:${http.addr.port}${path}`, {
    method,
    headers,
    body: sent === undefined ? null : JSON.stringify(sent),
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json");
  return { status: response.status, body: isJson ? JSON.parse(text) : text };
}

await runChecks([
  ["only the kernel is loaded, and what it stands on", async () => {
    const ours = (await findModules(new URL("main.ts", import.meta.url)))
      .filter((path) => path.startsWith("src/"));
    assert(ours.includes("src/kernel/mod.ts"));
    const strangers = ours.filter((path) => !/^src\/(kernel|schema|ports)\//.test(path));
    assertEquals(strangers, ["src/protocol/json.ts"]); // guards of JSON values, no protocol
  }],

  ["GET / tells what there is, and in which shape", async () => {
    const { body } = await send("GET", "/");
    assertEquals(Object.keys(body).length, 8);
    assertEquals(body["GET /invoices/:id"].inputSchema.required, ["id"]);
    assertEquals(body["POST /invoices/batch"].outputSchema.type, "array");
  }],

  ["a list filters by its query, and comes page by page", async () => {
    const { status, body } = await send("GET", "/invoices?status=paid&customerId=1&limit=2&page=2");
    assertEquals([status, body.items.length, body.page], [200, 2, 2]);
    for (const invoice of body.items) {
      assertEquals([invoice.status, invoice.customerId], ["paid", 1]);
    }
    assertEquals((await send("GET", "/customers?nameContains=birch")).body.items.length, 5);
  }],

  ["an invoice is created, shown, changed and deleted", async () => {
    const created = await send("POST", "/invoices", { customerId: 1, amountCents: 1250 });
    const { id } = created.body;
    assertEquals([created.status, created.body.status], [200, "open"]);
    const shown = (await send("GET", `/invoices/${id}`)).body;
    assertEquals(shown.affordances.delete, { available: true });
    const changed = await send("PATCH", `/invoices/${id}`, { note: "Repairs", id: 7 });
    assertEquals([changed.body.id, changed.body.note], [id, "Repairs"]); // the path says which
    assertEquals((await send("DELETE", `/invoices/${id}`)).body, { deleted: true });
    assertEquals((await send("DELETE", `/invoices/${id}`)).status, 404);
  }],

  ["many are created at once, or none", async () => {
    const invoices = [{ customerId: 1, amountCents: 1 }, { customerId: 2, amountCents: 2 }];
    const { status, body } = await send("POST", "/invoices/batch", { invoices });
    assertEquals([status, body.length], [200, 2]);
    const wrong = [...invoices, { customerId: 2, amountCents: 0 }];
    const refused = await send("POST", "/invoices/batch", { invoices: wrong });
    assertEquals([refused.status, Object.keys(refused.body.error.detail.invoices)], [400, ["2"]]);
  }],

  ["an export is plain text", async () => {
    const { status, body } = await send("GET", "/invoices.csv?status=paid");
    assertEquals(status, 200);
    assertStringIncludes(body, "id,customerId,status,amountCents,issuedOn,dueOn\n1,1,paid,");
  }],

  ["400: the arguments do not fit, told by name", async () => {
    const { status, body } = await send("GET", "/invoices?status=lost&colour=red");
    assertEquals(status, 400);
    assertEquals(Object.keys(body.error.detail).sort(), ["colour", "status"]);
    const early = { customerId: 1, amountCents: 1, dueOn: "2020-01-01" };
    const refused = await send("POST", "/invoices", early);
    assertEquals([refused.status, refused.body.error.type], [400, "ServiceValidationError"]);
  }],

  ["401 and 403: a wrong token, and none", async () => {
    const invoice = { customerId: 1, amountCents: 1 };
    assertEquals((await send("GET", "/invoices", undefined, "wrong")).status, 401);
    assertEquals((await send("GET", "/invoices", undefined, null)).status, 200);
    const refused = await send("POST", "/invoices", invoice, null);
    assertEquals([refused.status, refused.body.error.message], [403, "Insufficient permission"]);
    const unsound = await send("POST", "/invoices", {}, null);
    assertEquals(unsound, refused); // and nothing about the arguments
  }],

  ["404: there is no such row", async () => {
    assertEquals((await send("GET", "/invoices/9999")).body.error.type, "not_found");
    const { status, body } = await send("POST", "/invoices", { customerId: 999, amountCents: 1 });
    assertEquals([status, body.error.message], [404, "There is no customer 999."]);
    assertEquals((await send("GET", "/nowhere")).body.error.type, "no_route");
  }],

  ["409: a paid invoice stays, with a code", async () => {
    const { status, body } = await send("DELETE", "/invoices/7");
    assertEquals([status, body.error.code], [409, "invoice_paid"]);
  }],

  ["415 and 400: a body that is no JSON object", async () => {
    const url = `http://127.0.0.1:${http.addr.port}/invoices`;
    const headers = { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" };
    const list = await fetch(url, { method: "POST", headers, body: "[]" });
    const form = await fetch(url, { method: "POST", body: new FormData() });
    assertEquals([list.status, form.status], [400, 415]);
    await Promise.all([list.body?.cancel(), form.body?.cancel()]);
  }],
]);

await http.shutdown();
database.close();
