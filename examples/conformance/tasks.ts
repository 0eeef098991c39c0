import {
  type McpServer,
  param,
  question,
  ServiceError,
  serviceSpec,
  unrestricted,
} from "@limen/mcp";

const permissions = [unrestricted];

/** Registers tools that run as tasks, and one for each way in which a task can end. */
export function addTasks(server: McpServer): void {
  server.tool("greet", {
    description: "Greets someone, at once.",
    effect: "read",
    reads: { name: param.string({ required: true, help: "Whom to greet." }) },
    permissions,
  }, ({ args }) => `Hello, ${args.name}!`);

  server.tool("slow_compute", {
    description: "Takes as long as it is told to.",
    effect: "act",
    taskPolicy: "optional",
    reads: {
      seconds: param.number({ default: 0, help: "How long it takes." }),
      label: param.string({ default: "", help: "What it is called." }),
    },
    permissions,
  }, async ({ args: { seconds, label }, progress, signal }) => {
    progress(0, { total: seconds, message: "Computing" });
    await wait(seconds * 1000, signal);
    return `Computed ${label} for ${seconds} s.`;
  });

  server.tool("failing_job", {
    description: "Runs as a task only, and reports a failure.",
    effect: "act",
    taskPolicy: "required",
    permissions,
  }, async ({ signal }) => {
    await wait(1000, signal);
    throw new ServiceError("The job failed.");
  });

  server.tool("protocol_error_job", {
    description: "Runs as a task, and breaks.",
    effect: "act",
    taskPolicy: "optional",
    permissions,
  }, async ({ signal }) => {
    await wait(100, signal);
    throw new Error("The job is broken.");
  });

  addAskingTasks(server);
}

/** Registers tools that ask while they run as tasks, or before they become one. */
function addAskingTasks(server: McpServer): void {
  server.tool("confirm_delete", {
    description: "Asks before it deletes a file.",
    effect: "act",
    taskPolicy: "optional",
    reads: { filename: param.string({ default: "", help: "What is deleted." }) },
    permissions,
  }, ({ args: { filename }, ask }) => {
    const { sure } = ask({
      sure: question.form(`Delete ${filename}?`, { confirm: param.boolean({ required: true }) }),
    });
    const isSure = sure.action === "accept" && sure.content.confirm;
    return isSure ? `Deleted ${filename}.` : `Kept ${filename}.`;
  });

  server.tool("multi_input", {
    description: "Asks two things at once.",
    effect: "act",
    taskPolicy: "optional",
    permissions,
  }, ({ ask }) => {
    const answers = ask({
      first: question.form("The first name?", { name: param.string({ required: true }) }),
      second: question.form("The second name?", { name: param.string({ required: true }) }),
    });
    return Object.values(answers).map(({ action }) => action).join(", ");
  });

  const questions = {
    user_name: question.form("Your name?", { name: param.string({ required: true }) }),
  };
  server.registerTool(
    serviceSpec({
      permissions,
      prepare: ({ ask }) => void ask(questions),
      run: ({ ask }) => {
        const { user_name } = ask(questions);
        return user_name.action === "accept" ? `Hello, ${user_name.content.name}!` : "Hello!";
      },
    }),
    {
      name: "test_tool_with_task",
      description: "Asks for a name, and greets by it as a task.",
      taskPolicy: "required",
    },
  );
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
