import type { Snippet } from "./snippet.ts";

const FORM = 'question.form("?", { name: param.string({ required: true }), n: param.integer() })';

/** Answers are typed from what was asked (TS-1, TS-4). */
export const ASK_SNIPPETS: readonly Snippet[] = [
  {
    title: "the answers of several kinds, used as they are",
    code: `server.tool("t", { ...tool }, ({ ask }) => {
      const { q, page, said, at } = ask({
        q: ${FORM},
        page: question.url("?", "https://a.example"),
        said: question.sampling("?", { maxTokens: 1 }),
        at: question.roots(),
      }, { state: { plan: 1 } });
      const name: string = q.action === "accept" ? q.content.name : q.action;
      const agreed: boolean = page.action === "accept";
      const text: string = said.action === "accept" ? said.text : "";
      const uris: readonly string[] = at.action === "accept" ? at.roots.map(({ uri }) => uri) : [];
      return [name, agreed, text, ...uris].join(", ");
    });`,
  },
  {
    title: "the content of a form on hover",
    code: `server.tool("t", { ...tool }, ({ ask }) => {
      const { q } = ask({ q: ${FORM} });
      if (q.action !== "accept") return "";
      const x: never = q.content;
      return x;
    });`,
    says:
      "Type '{ readonly name: string; readonly n?: number | undefined; }' is not assignable to type 'never'",
  },
  {
    title: "the content of a form that may have been declined",
    code: `server.tool("t", { ...tool }, ({ ask }) => {
      const { q } = ask({ q: ${FORM} });
      return q.content.name;
    });`,
    says: "Property 'content' does not exist on type",
  },
  {
    title: "an answer to what was not asked",
    code: `server.tool("t", { ...tool }, ({ ask }) => {
      const answers = ask({ q: ${FORM} });
      return answers.other.action;
    });`,
    says: "Property 'other' does not exist on type",
  },
  {
    title: "a choice that there is not",
    code: `server.tool("t", { ...tool }, ({ ask }) => {
      const { q } = ask({ q: question.form("?", { s: param.string({ choices: ["S", "M"] }) }) });
      return q.action === "accept" && q.content.s === "L" ? "" : "";
    });`,
    says: "This comparison appears to be unintentional because the types",
  },
  {
    title: "a question that is none",
    code: 'server.tool("t", { ...tool }, ({ ask }) => { ask({ q: "Why?" }); return ""; });',
    says: "Type 'string' is not assignable to type 'Question'",
  },
];
