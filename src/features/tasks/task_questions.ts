import type { JsonObject } from "../../protocol/json.ts";
import type { InputRequiredOutcome } from "../elicitation/ask_back.ts";
import { receiveAnswers } from "../elicitation/pending.ts";
import { readResponses } from "../elicitation/read_responses.ts";
import type { TaskQuestion, TaskRecord } from "./task_record.ts";

/** The record of a task that waits for answers: every key is new within the task. */
export function askQuestions(record: TaskRecord, asked: InputRequiredOutcome): TaskRecord {
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
    input: undefined,
    questions: Object.fromEntries(questions),
    usedKeys: [...used],
    pending: asked.pending,
  };
}

/**
 * Picks the answers to the questions that wait; whatever answers none of them is ignored.
 *
 * @returns The answers by key, `undefined` where one of them is malformed.
 */
export function readAnswers(
  { questions = {} }: TaskRecord,
  sent: JsonObject,
): Readonly<Record<string, JsonObject>> | undefined {
  const known = Object.entries(questions).filter(([unique, { answer }]) =>
    answer === undefined && Object.hasOwn(sent, unique)
  );
  return readResponses(Object.fromEntries(known.map(([unique]) => [unique, sent[unique]])));
}

/**
 * Takes answers to questions that still wait.
 *
 * @returns The record with the answers, `undefined` where nothing was answered.
 */
export function takeAnswers(
  record: TaskRecord,
  responses: Readonly<Record<string, JsonObject>>,
): TaskRecord | undefined {
  const { questions = {} } = record;
  let isTaken = false;
  const entries = Object.entries(questions).map(([unique, question]): [string, TaskQuestion] => {
    if (question.answer !== undefined || !Object.hasOwn(responses, unique)) {
      return [unique, question];
    }
    isTaken = true;
    return [unique, { ...question, answer: responses[unique]! }];
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
  const input = receiveAnswers(responses, pending);
  return { ...record, input, questions: undefined, pending: undefined, statusMessage: undefined };
}
