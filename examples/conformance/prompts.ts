import { type McpServer, param, unrestricted } from "@limen/mcp";
import { PNG } from "./media.ts";

const permissions = [unrestricted];

/** Registers a prompt for each kind of block. */
export function addPrompts(server: McpServer): void {
  server.registerPrompt("test_simple_prompt", {
    description: "A text without arguments.",
    permissions,
  }, () => "This is a simple prompt for testing.");

  server.registerPrompt("test_prompt_with_arguments", {
    description: "A text with two arguments.",
    reads: {
      arg1: param.string({ required: true, help: "The first." }),
      arg2: param.string({ required: true, help: "The second." }),
    },
    complete: {
      arg1: ({ value }) => ["testValue1", "testing"].filter((one) => one.startsWith(value)),
    },
    permissions,
  }, ({ args }) => `Prompt with arguments: arg1='${args.arg1}', arg2='${args.arg2}'`);

  server.registerPrompt("test_prompt_with_embedded_resource", {
    description: "The contents of a resource, and a question about them.",
    reads: { resourceUri: param.string({ required: true, help: "URI of the resource." }) },
    permissions,
  }, ({ args }) => [
    {
      role: "user",
      content: {
        type: "resource",
        resource: {
          uri: args.resourceUri,
          mimeType: "text/plain",
          text: "Embedded resource content for testing.",
        },
      },
    },
    "Please process the embedded resource above.",
  ]);

  server.registerPrompt("test_prompt_with_image", {
    description: "A picture, and a question about it.",
    permissions,
  }, () => [
    { role: "user", content: { type: "image", data: PNG, mimeType: "image/png" } },
    "Please analyze the image above.",
  ]);
}
