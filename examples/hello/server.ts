import { McpServer, param, unrestricted } from "@limen/mcp";

const server = new McpServer({ name: "hello", version: "1.0.0" });

server.tool("greet", {
  description: "Greets someone by name.",
  effect: "read",
  reads: {
    name: param.string({ required: true, help: "Whom to greet." }),
    language: param.string({ choices: ["en", "fr"], default: "en" }),
  },
  permissions: [unrestricted],
}, ({ args }) => `${args.language === "fr" ? "Bonjour" : "Hello"}, ${args.name}!`);

export default server;
