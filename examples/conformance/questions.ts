import { type McpServer, param, question, unrestricted } from "@limen/mcp";

const permissions = [unrestricted];

const userName = question.form("What is your name?", {
  name: param.string({ required: true, help: "Your name." }),
});
const capital = question.sampling("What is the capital of France?", { maxTokens: 100 });
const roots = question.roots();

/** Registers a tool for each way of asking, and a prompt that asks. */
export function addQuestions(server: McpServer): void {
  server.tool("test_input_required_result_elicitation", {
    description: "Asks for a name.",
    effect: "act",
    permissions,
  }, ({ ask }) => {
    const { user_name: answer } = ask({ user_name: userName });
    return answer.action === "accept"
      ? `Hello, ${answer.content.name}!`
      : "Hello, whoever you are!";
  });

  server.tool("test_input_required_result_sampling", {
    description: "Asks the client's model.",
    effect: "act",
    permissions,
  }, ({ ask }) => {
    const { capital_question: answer } = ask({ capital_question: capital });
    return answer.action === "accept" ? answer.text : "Nobody knows.";
  });

  server.tool("test_input_required_result_list_roots", {
    description: "Asks which folders the client works on.",
    effect: "act",
    permissions,
  }, ({ ask }) => {
    const { client_roots: answer } = ask({ client_roots: roots });
    const uris = answer.action === "accept" ? answer.roots.map(({ uri }) => uri) : [];
    return `The client works on: ${uris.join(", ")}`;
  });

  server.tool("test_input_required_result_request_state", {
    description: "Asks, and keeps something until the answer comes.",
    effect: "act",
    permissions,
  }, ({ ask }) => {
    ask({ confirm_it: question.form("Go on?", { ok: param.boolean({ required: true }) }) }, {
      state: { step: 1 },
    });
    return `state-ok: ${JSON.stringify(ask.state)}`;
  });

  server.tool("test_input_required_result_multiple_inputs", {
    description: "Asks for everything that can be asked, at once.",
    effect: "act",
    permissions,
  }, ({ ask }) => {
    const answers = ask({ user_name: userName, greeting: capital, client_roots: roots }, {
      state: { asked: 3 },
    });
    return `Answered: ${Object.values(answers).map(({ action }) => action).join(", ")}`;
  });

  server.tool("test_input_required_result_multi_round", {
    description: "Asks twice, one question after the other.",
    effect: "act",
    permissions,
  }, ({ ask }) => {
    const { step1 } = ask({ step1: userName }, { state: { round: 1 } });
    const color = question.form("Which colour do you like?", {
      color: param.string({ required: true, help: "A colour." }),
    });
    const { step2 } = ask({ step2: color }, { state: { round: 2 } });
    const name = step1.action === "accept" ? step1.content.name : "Somebody";
    return `${name} likes ${step2.action === "accept" ? step2.content.color : "no colour"}.`;
  });

  server.tool("test_input_required_result_tampered_state", {
    description: "Asks with a state that must come back as it is.",
    effect: "act",
    permissions,
  }, ({ ask }) => {
    ask({ user_name: userName }, { state: { step: 1 } });
    return "The state is untouched.";
  });

  server.tool("test_input_required_result_capabilities", {
    description: "Asks only what the client takes.",
    effect: "act",
    permissions,
  }, ({ ask }) => {
    const { user_name: name, capital_question: place } = ask({
      user_name: userName,
      capital_question: capital,
    });
    return `Answered: ${name.action}, ${place.action}`;
  });

  server.registerPrompt("test_input_required_result_prompt", {
    description: "Asks before it renders.",
    permissions,
  }, ({ ask }) => {
    const { user_context: answer } = ask({
      user_context: question.form("What is it about?", {
        context: param.string({ required: true, help: "A few words." }),
      }),
    });
    return `Context: ${answer.action === "accept" ? answer.content.context : "none"}`;
  });
}
