import { type McpServer, param, selectorSpec, unrestricted } from "@limen/mcp";
import { PNG } from "./media.ts";

const permissions = [unrestricted];

/** Registers a resource of each encoding, and a template. */
export function addResources(server: McpServer): void {
  const text = selectorSpec({
    kind: "retrieve",
    permissions,
    select: () => "This is the content of the static text resource.",
  });
  server.registerResource(text, {
    uri: "test://static-text",
    name: "static_text",
    title: "Static text",
    description: "A text that never changes.",
    encoding: "text",
  });

  const picture = selectorSpec({
    kind: "retrieve",
    permissions,
    select: () => Uint8Array.from(atob(PNG), (character) => character.charCodeAt(0)),
  });
  server.registerResource(picture, {
    uri: "test://static-binary",
    name: "static_binary",
    description: "A picture of one pixel.",
    encoding: "blob",
    mimeType: "image/png",
  });

  const watched = selectorSpec({
    kind: "retrieve",
    permissions,
    select: () => "This is the content of the watched resource.",
  });
  server.registerResource(watched, {
    uri: "test://watched-resource",
    name: "watched",
    description: "A text that a client may watch.",
    encoding: "text",
  });

  const row = selectorSpec({
    kind: "retrieve",
    reads: { id: param.string({ required: true, help: "Any text." }) },
    permissions,
    select: ({ args }) => ({ id: args.id, templateTest: true, data: `Data for ID: ${args.id}` }),
  });
  server.registerResource(row, {
    uri: "test://template/{id}/data",
    name: "template",
    description: "Data of any id.",
    complete: { id: ({ value }) => ["123", "124", "200"].filter((id) => id.startsWith(value)) },
  });
}
