import type { JsonObject } from "../../protocol/json.ts";
import type { TaskQuestion, TaskRecord } from "./task_record.ts";

/** What a running task asks its client. */
export interface TaskQuestions {
  /** Always `"input_required"`. */
  readonly type: "input_required";
  /** The requests, such as `elicitation/create`, by the keys that the service asked under. */
  readonly requests: Readonly<Record<string, JsonObject>>;
  /** What the next run needs to know beside the answers: plain JSON. Default: nothing. */
  readonly pending?: JsonObject;
}

/** The record of a task that waits for answers: every key is new within the task. */
export function askQuestions(record: TaskRecord, asked: TaskQuestions): TaskRecord {
  const used = new Set(record.usedKeys);
  const questions: [string, TaskQuestion][] = [];
  for (const [key, request] of Object.entries(asked.requests)) {
    let unique = key;
    for (let round = 2; used.has(unique); round++) unique = `${key}~${round}`;
    used.add(unique);
    questions.push([unique, { key, request }]);
  }
  return {
    ...record,
    stage: "asking",
    status: "input_required",
    holder: undefined,
    heldUntil: undefined,
    statusMessage: undefined,
    answers: undefined,
    questions: Object.fromEntries(questions),
    usedKeys: [...used],
    pending: asked.pending,
  };
}

/**
 * Takes answers to the questions that wait; what answers none of them is ignored.
 *
 * @returns The record with the answers, `undefined` where nothing was answered.
 */
export function takeAnswers(record: TaskRecord, responses: JsonObject): TaskRecord | undefined {
  const { questions = {} } = record;
  let isTaken = false;
  const entries = Object.entries(questions).map(([unique, question]): [string, TaskQuestion] => {
    if (question.answer !== undefined || !Object.hasOwn(responses, unique)) {
      return [unique, question];
    }
    isTaken = true;
    return [unique, { ...question, answer: responses[unique] as JsonObject }];
  });
  return isTaken ? { ...record, questions: Object.fromEntries(entries) } : undefined;
}

/** Whether no question waits any more. */
export function isAnswered({ questions = {} }: TaskRecord): boolean {
  return Object.values(questions).every(({ answer }) => answer !== undefined);
}

/** The record of a task whose work may begin again with its answers. */
export function resumeRecord(record: TaskRecord): TaskRecord {
  const { questions = {}, pending } = record;
  const responses: Record<string, JsonObject> = Object.create(null);
  for (const { key, answer } of Object.values(questions)) {
    if (answer !== undefined) responses[key] = answer;
  }
  const answers = { responses, pending };
  return { ...record, answers, questions: undefined, pending: undefined, statusMessage: undefined };
}
