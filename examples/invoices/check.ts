/**
 * Starts the example as `deno task start` does, drives every tool over the wire, and stops it.
 *
 * @module
 */
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { createTestClient } from "@limen/mcp/testing";
import { connect } from "../_support/connect.ts";
import { readFailure, readText, readValue, type Result } from "../_support/read_result.ts";
import { runChecks } from "../_support/run_checks.ts";
import type { Customer, Invoice } from "./model.ts";
import { InvoiceDatabase } from "./database.ts";
import { createServer } from "./server.ts";
import { startProcess } from "./start_process.ts";

/** A page of a list. */
interface Page<Row> {
  readonly items: readonly Row[];
  readonly page: number;
  readonly totalPages: number;
  readonly hasNext: boolean;
}

/** The short answer to a write: of one row with what the caller does not know of it. */
interface Confirmation extends Partial<Invoice> {
  readonly accepted?: number;
  readonly status_code: number;
  readonly data_size: number;
  readonly continuation_token: string;
}

const TOKEN = "correct-horse-battery";
const example = await startProcess({ PORT: "0" });
const client = await connect(example.url);
const guarded = await startProcess({ PORT: "0", INVOICES_TOKEN: TOKEN });

const call = (name: string, args: object = {}) => client.callTool({ name, arguments: { ...args } });

await runChecks([
  ["the first curl line works as printed", async () => {
    const line = /curl .*/.exec(example.banner)![0];
    const { code, stdout } = await new Deno.Command("sh", { args: ["-c", line] }).output();
    if (code === 127) return; // there is no curl on this machine
    const { result } = JSON.parse(new TextDecoder().decode(stdout));
    assertEquals(result.structuredContent.items.length, 2);
  }],

  ["every tool is listed, described, and named at the start", async () => {
    const { tools } = await client.listTools();
    assertEquals(tools.length, 10);
    for (const { name, description } of tools) {
      assertStringIncludes(example.banner, name);
      assert(description !== undefined && description.length > 10);
    }
    assertStringIncludes(client.getInstructions() ?? "", "cents of a euro");
  }],

  ["customers_list finds customers by a part of their name", async () => {
    const { items, hasNext } = readValue<Page<Customer>>(
      await call("customers_list", { nameContains: "birch" }),
    );
    assertEquals([items.length, hasNext], [5, false]);
    assertEquals(items[0], {
      id: 6,
      name: "Birch Bakery",
      email: "billing@birch-bakery.example",
    });
  }],

  ["invoices_list filters, and serves page by page", async () => {
    const list = async (args: object) =>
      readValue<Page<Invoice>>(await call("invoices_list", args));
    const paid = await list({ status: "paid", limit: 2 });
    assertEquals(paid.items.map(({ id, status }) => [id, status]), [[1, "paid"], [2, "paid"]]);
    const second = await list({ page: 2, limit: 2 });
    assertEquals(second.items.map(({ id }) => id), [3, 4]);
    assertEquals([second.page, second.totalPages, second.hasNext], [2, 150, true]);
    const { type } = readFailure(await call("invoices_list", { status: "lost" }));
    assertEquals(type, "validation_error");
  }],

  ["invoices_retrieve shows an invoice and what can be done with it", async () => {
    const retrieve = async (id: number) =>
      readValue<Invoice & { readonly affordances: unknown }>(
        await call("invoices_retrieve", { id }),
      );
    const open = await retrieve(300);
    assertEquals([open.id, open.status], [300, "open"]);
    assertEquals(open.affordances, { update: { available: true }, delete: { available: true } });
    const reason = "A paid invoice can no longer be changed or deleted.";
    const refused = { available: false, code: "invoice_paid", reason };
    assertEquals((await retrieve(7)).affordances, { update: refused, delete: refused });
    assertEquals(readFailure(await call("invoices_retrieve", { id: 9999 })).type, "not_found");
  }],

  ["invoices_create bills a customer, and confirms what the caller does not know", async () => {
    const sent = { customerId: 1, amountCents: 1250, note: "Training" };
    const { issuedOn, dueOn, continuation_token, data_size, ...rest } = readValue<Confirmation>(
      await call("invoices_create", sent),
    );
    assertEquals<object>(rest, { id: 301, status: "open", status_code: 201 });
    assert(dueOn !== undefined && issuedOn !== undefined && dueOn > issuedOn);
    const { amountCents, note } = readValue<Invoice>(
      await call("continuations_read", { continuation_token, mode: "full" }),
    );
    assertEquals([amountCents, note], [1250, "Training"]);
    assert(data_size > 100);
  }],

  ["invoices_create refuses what is wrong, in words to act on", async () => {
    const refused = async (args: object) => readFailure(await call("invoices_create", args));
    assertEquals(await refused({ customerId: 999, amountCents: 1 }), {
      type: "service_error",
      message: "There is no customer 999.",
    });
    assertEquals(
      (await refused({ amountCents: 1 })).message,
      "Missing required argument(s): `customerId`.",
    );
    const tooEarly = await refused({ customerId: 1, amountCents: 1, dueOn: "2020-01-01" });
    assertEquals(tooEarly.type, "validation_error");
    const unknown = await refused({ customerId: 1, amountCents: 1, currency: "EUR" });
    assertEquals(unknown.type, "validation_error");
  }],

  ["invoices_update changes what is sent and nothing else", async () => {
    const change = { id: 301, note: "Repairs", verify: true };
    const invoice = readValue<Invoice>(await call("invoices_update", change));
    assertEquals([invoice.note, invoice.amountCents], ["Repairs", 1250]);
  }],

  ["a paid invoice can be neither changed nor deleted", async () => {
    readValue(await call("invoices_update", { id: 301, status: "paid" }));
    const refusal = {
      type: "service_error",
      message: "A paid invoice can no longer be changed or deleted.",
      code: "invoice_paid",
    };
    const change = await call("invoices_update", { id: 301, note: "Again" });
    assertEquals(readFailure(change), refusal);
    const removal = await call("invoices_delete", { id: 301 });
    assertEquals(readFailure(removal), refusal);
  }],

  ["invoices_delete deletes an open invoice, once", async () => {
    const sent = { customerId: 1, amountCents: 1 };
    const { id } = readValue<Invoice>(await call("invoices_create", sent));
    assertEquals(readValue(await call("invoices_delete", { id })), {
      id,
      deleted: true,
      status_code: 204,
    });
    assertEquals(readFailure(await call("invoices_delete", { id })).type, "not_found");
  }],

  ["invoices_delete_open deletes nothing that the user has not agreed to", async () => {
    const name = "invoices_delete_open";
    const open = async () => {
      const filter = { customerId: 3, status: "open" };
      return readValue<Page<Invoice>>(await call("invoices_list", filter)).items.length;
    };
    for (const amountCents of [100, 200]) {
      await call("invoices_create", { customerId: 3, amountCents });
    }
    const before = await open();
    assert(before > 1);
    const asks = { name, arguments: { customerId: 3 } };
    await assertRejects(() => client.callTool(asks), Error, "capability");
    const byItself = { name, arguments: { customerId: 3, confirmed: true } };
    assertEquals(readFailure(await client.callTool(byItself)).type, "validation_error");

    const heard: string[] = [];
    let action: "accept" | "decline" = "decline";
    const user = (message: string) => {
      heard.push(message);
      return { action };
    };
    const careful = await connect(example.url, { user });
    assertEquals(readFailure(await careful.callTool(asks)).type, "input_declined");
    assertEquals(await open(), before);
    action = "accept";
    assertStringIncludes(readText(await careful.callTool(asks)), `Deleted ${before} open invoices`);
    assertEquals([await open(), heard.length, heard[0]], [0, 2, heard[1]!]);
    assertStringIncludes(heard[0]!, `Delete ${before} open invoices of `);
    await careful.close();
  }],

  ["invoices_export reports its progress up to the total", async () => {
    const seen: number[] = [];
    const csv = await client.callTool({ name: "invoices_export", arguments: { status: "paid" } }, {
      onprogress: ({ progress, total }) => seen.push(progress / total!),
    });
    assert(seen.length > 5, `Saw ${seen.length} reports`);
    assertEquals(seen, [...seen].sort((a, b) => a - b));
    assertEquals(seen.at(-1), 1);
    const [head, ...rows] = readText(csv).split("\n");
    assertEquals(head, "id,customerId,status,amountCents,issuedOn,dueOn");
    assert(rows.length > 250 && rows.every((row) => row.includes(",paid,")));
  }],

  ["invoices_export runs as a task for the owner, who may cancel it", async () => {
    const server = createServer(new InvoiceDatabase(":memory:"), { exportBatchMs: 10 });
    const capabilities = { extensions: { "io.modelcontextprotocol/tasks": {} } };
    await using asking = createTestClient(server, { capabilities });
    const look = async (taskId: unknown) => (await asking.request("tasks/get", { taskId })).result!;
    const { taskId } = await asking.callTool("invoices_export");
    while ((await look(taskId)).status === "working") await new Promise((go) => setTimeout(go, 5));
    const { result } = await look(taskId);
    assertStringIncludes(readText(result as Result), "id,customerId,status");
    const { taskId: other } = await asking.callTool("invoices_export");
    await asking.request("tasks/cancel", { taskId: other });
    assert(["cancelled", "completed"].includes(String((await look(other)).status)));
    await server.close();
  }],

  ["invoices_create_many issues a thousand at once, and no more", async () => {
    const invoices = Array.from({ length: 1001 }, () => ({ customerId: 2, amountCents: 100 }));
    const { type } = readFailure(await call("invoices_create_many", { invoices }));
    assertEquals(type, "validation_error");
    invoices.pop();
    const { accepted, continuation_token } = readValue<Confirmation>(
      await call("invoices_create_many", { invoices }),
    );
    assertEquals(accepted, 1000);
    const last = readValue<{ readonly items: readonly Invoice[]; readonly has_more: boolean }>(
      await call("continuations_read", { continuation_token, page: 50 }),
    );
    assertEquals([last.items.length, last.has_more], [20, false]);
    const kept = { continuation_token, mode: "filtered", filter_keys: ["id"] };
    const ids = readValue<readonly { readonly id: number }[]>(
      await call("continuations_read", kept),
    );
    assertEquals(new Set(ids.map(({ id }) => id)).size, 1000);
  }],

  ["invoices_create_many confirms in the bytes that the README prints", async () => {
    const readme = await Deno.readTextFile(new URL("../../README.md", import.meta.url));
    const invoices = Array.from(
      { length: 60 },
      () => ({ customerId: 2, amountCents: 12500, note: "Maintenance of the second quarter" }),
    );
    const bytesOf = async (args: object) => {
      const result = await call("invoices_create_many", { invoices, ...args });
      return new TextEncoder().encode(readText(result)).length;
    };
    const [echo, lean] = [await bytesOf({ verify: true }), await bytesOf({})];
    assertStringIncludes(readme, `${echo} bytes`);
    assertStringIncludes(readme, `${lean} bytes`);
  }],

  ["invoices_create_many issues none if one is refused", async () => {
    const count = async () =>
      readValue<Page<Invoice>>(await call("invoices_list", { limit: 1 })).totalPages;
    const before = await count();
    const invoices = [{ customerId: 2, amountCents: 100 }, { customerId: 999, amountCents: 100 }];
    assertEquals(
      readFailure(await call("invoices_create_many", { invoices })).message,
      "There is no customer 999 (at invoices.1).",
    );
    assertEquals(await count(), before);
  }],

  ["every resource is listed, and can be read", async () => {
    const { resources } = await client.listResources();
    assertEquals(resources.map(({ uri }) => uri), ["invoices://summary"]);
    const { contents: [summary] } = await client.readResource({ uri: "invoices://summary" });
    assertEquals(summary?.mimeType, "text/markdown");
    assert(summary !== undefined && "text" in summary);
    assertStringIncludes(summary.text, "| paid | ");

    const { resourceTemplates } = await client.listResourceTemplates();
    const templates = ["invoices://{id}", "invoices://{id}/pdf"];
    assertEquals(resourceTemplates.map(({ uriTemplate }) => uriTemplate), templates);
    const { contents: [row] } = await client.readResource({ uri: "invoices://7" });
    assert(row !== undefined && "text" in row);
    assertEquals(JSON.parse(row.text).customerId, 3);
    const { contents: [pdf] } = await client.readResource({ uri: "invoices://7/pdf" });
    assert(pdf !== undefined && "blob" in pdf);
    assertEquals([pdf.mimeType, atob(pdf.blob).slice(0, 5)], ["application/pdf", "%PDF-"]);
    for (const uri of ["invoices://9999", "invoices://9999/pdf", "invoices://seven"]) {
      await assertRejects(() => client.readResource({ uri }));
    }
  }],

  ["a watched invoice tells when it changes", async () => {
    const sent = { customerId: 1, amountCents: 1 };
    const { id } = readValue<Invoice>(await call("invoices_create", sent));
    const uris = [`invoices://${id}`, "invoices://summary", "invoices://9999"];
    const heard: string[] = [];
    const { promise: bothHeard, resolve } = Promise.withResolvers<void>();
    const watcher = await connect(example.url);
    watcher.setNotificationHandler("notifications/resources/updated", ({ params }) => {
      if (heard.push(params.uri) === 4) resolve();
    });
    const { honoredFilter } = await watcher.listen({ resourceSubscriptions: uris });
    assertEquals(honoredFilter.resourceSubscriptions, uris.slice(0, 2)); // there is no third
    readValue(await call("invoices_update", { id, note: "Repairs" }));
    readFailure(await call("invoices_update", { id, dueOn: "2020-01-01" })); // tells nobody
    readValue(await call("invoices_delete", { id }));
    await bothHeard;
    assertEquals(heard.toSorted(), [uris[0], uris[0], uris[1], uris[1]]);
    await watcher.close();
  }],

  ["every prompt is listed, and can be used", async () => {
    const { prompts } = await client.listPrompts();
    assertEquals(prompts.map(({ name }) => name), ["payment_reminder", "customer_review"]);
    const reminder = await client.getPrompt({
      name: "payment_reminder",
      arguments: { invoiceId: "7", tone: "firm" },
    });
    assertEquals(reminder.messages.map(({ content }) => content.type), ["resource", "text"]);
    const review = await client.getPrompt({
      name: "customer_review",
      arguments: { customer: "Birch Bakery" },
    });
    const [message] = review.messages;
    assert(message?.content.type === "text");
    assertStringIncludes(message.content.text, "Birch Bakery");
    const none = { name: "payment_reminder", arguments: { invoiceId: "9999" } };
    await assertRejects(() => client.getPrompt(none), Error, "There is no invoice 9999.");
  }],

  ["customers and ids complete while they are typed", async () => {
    const names = await client.complete({
      ref: { type: "ref/prompt", name: "customer_review" },
      argument: { name: "customer", value: "birch" },
    });
    assertEquals(names.completion.values.length, 5);
    assertEquals(names.completion.values[0], "Birch Bakery");
    const ids = await client.complete({
      ref: { type: "ref/resource", uri: "invoices://{id}" },
      argument: { name: "id", value: "12" },
    });
    assertEquals(ids.completion.values.slice(0, 3), ["12", "120", "121"]);
  }],

  ["a token that is set guards the writes and leaves the reads open", async () => {
    const anyone = await connect(guarded.url);
    const owner = await connect(guarded.url, { token: TOKEN });
    const invoice = { name: "invoices_create", arguments: { customerId: 1, amountCents: 1 } };
    readValue(await anyone.callTool({ name: "invoices_list", arguments: {} }));
    await assertRejects(() => anyone.callTool(invoice), Error, "Insufficient permission");
    readValue(await owner.callTool(invoice));
    await assertRejects(() => connect(guarded.url, { token: "a-token-that-is-wrong" }));
    await anyone.close();
    await owner.close();
    assertEquals(await guarded.stop(), 0);
  }],

  ["a port that is in use is told in one line", async () => {
    const { code, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["task", "--quiet", "start"],
      env: { NO_COLOR: "1", PORT: new URL(example.url).port },
    }).output();
    assertEquals(code, 1);
    assertStringIncludes(new TextDecoder().decode(stderr), "the port is in use; choose another");
  }],

  ["SIGTERM ends an abandoned export, the server, and its data", async () => {
    const left = new AbortController();
    await assertRejects(() =>
      client.callTool({ name: "invoices_export", arguments: {} }, {
        signal: left.signal,
        onprogress: () => left.abort(), // about ten seconds before the end
      })
    );
    await client.close();
    const folder = /Data: (.*), removed/.exec(example.banner)![1]!;
    assert((await Deno.stat(folder)).isDirectory);
    const start = performance.now();
    assertEquals(await example.stop(), 0);
    assert(performance.now() - start < 5000, "The export went on");
    await assertRejects(() => Deno.stat(folder), Deno.errors.NotFound);
  }],
]);

await example.stop();
await guarded.stop();
