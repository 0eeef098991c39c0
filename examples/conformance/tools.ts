import {
  jsonSchema,
  type McpServer,
  param,
  ServiceError,
  toolResult,
  unrestricted,
} from "@limen/mcp";
import { PNG, WAV } from "./media.ts";

const permissions = [unrestricted];

/** Registers a tool for each kind of content, and for each way in which a call can end. */
export function addTools(server: McpServer): void {
  // Listed first: a scenario calls the first tool with `{}` and wants no error.
  server.tool("test_simple_text", {
    description: "Answers with a text.",
    effect: "read",
    permissions,
  }, () => "This is a simple text response for testing.");

  server.tool("test_image_content", {
    description: "Answers with a picture.",
    effect: "read",
    contentKind: "image",
    contentMimeType: "image/png",
    permissions,
  }, () => PNG);

  server.tool("test_audio_content", {
    description: "Answers with a sound.",
    effect: "read",
    contentKind: "audio",
    contentMimeType: "audio/wav",
    permissions,
  }, () => WAV);

  server.tool("test_embedded_resource", {
    description: "Answers with the contents of a resource.",
    effect: "read",
    permissions,
  }, () =>
    toolResult({
      content: [{
        type: "resource",
        resource: {
          uri: "test://embedded-resource",
          mimeType: "text/plain",
          text: "This is an embedded resource content.",
        },
      }],
    }));

  server.tool("test_multiple_content_types", {
    description: "Answers with a text, a picture and a resource.",
    effect: "read",
    permissions,
  }, () =>
    toolResult({
      content: [
        { type: "text", text: "Multiple content types test:" },
        { type: "image", data: PNG, mimeType: "image/png" },
        {
          type: "resource",
          resource: {
            uri: "test://mixed-content-resource",
            mimeType: "application/json",
            text: '{"test":"data","value":123}',
          },
        },
      ],
    }));

  server.tool("test_error_handling", {
    description: "Fails.",
    effect: "act",
    permissions,
  }, () => {
    throw new ServiceError("This tool intentionally returns an error for testing");
  });

  server.tool("test_tool_with_progress", {
    description: "Reports progress while it works.",
    effect: "act",
    permissions,
  }, async ({ progress }) => {
    for (const value of [0, 50, 100]) {
      progress(value, { total: 100 });
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return "Done.";
  });

  server.tool("test_x_mcp_header", {
    description: "Takes arguments that the client repeats in headers.",
    effect: "read",
    reads: {
      region: param.string({ header: "Region", help: "Where to run." }),
      level: param.integer({ help: "How much to do." }),
    },
    permissions,
  }, ({ args }) => `Region ${args.region ?? "none"}, level ${args.level ?? "none"}.`);

  server.tool("json_schema_2020_12_tool", {
    description: "Takes a JSON Schema that is listed word for word.",
    effect: "read",
    input: CONTACT,
    permissions,
  }, () => "The arguments fit the schema.");

  server.tool("test_missing_capability", {
    description: "Serves only clients that offer sampling.",
    effect: "act",
    requiresClient: { sampling: {} },
    permissions,
  }, () => "The client offers sampling.");

  server.tool("test_streaming_elicitation", {
    description: "Answers at once; a modern server sends no requests of its own.",
    effect: "read",
    permissions,
  }, () => "Nothing was asked.");

  server.tool("test_trigger_tool_change", {
    description: "Tells whoever listens that the tools have changed.",
    effect: "act",
    permissions,
  }, async () => {
    await server.notifyListChanged("tools");
    return "Told.";
  });

  server.tool("test_trigger_prompt_change", {
    description: "Tells whoever listens that the prompts have changed.",
    effect: "act",
    permissions,
  }, async () => {
    await server.notifyListChanged("prompts");
    return "Told.";
  });

  server.tool("test_logging_tool", {
    description: "Answers; what the server logs stays with the server.",
    effect: "read",
    permissions,
  }, () => "Nothing was sent to the client's log.");
}

const CONTACT = jsonSchema<{ readonly name?: string }>({
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: {
      $anchor: "addressDef",
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } },
    },
  },
  properties: {
    name: { type: "string" },
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: { type: "string" },
    email: { type: "string" },
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  then: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false,
});
