import type { Logger } from "../ports/logger.ts";
import { serialize } from "../present/serialize.ts";
import type { Broker } from "../stores/broker.ts";
import type { ListKind } from "./list_kind.ts";
import type { Topic, Topics } from "./topics.ts";

/** What an announcer needs. */
export interface AnnouncerOptions {
  /** Carries the events; without one, nothing is announced. */
  readonly broker: Broker | undefined;
  /** Where they go. */
  readonly topics: Topics;
  /** Told when the broker fails. */
  readonly log: Logger;
}

/**
 * Tells whoever listens, in any process, that something changed. To be called after the commit.
 *
 * What is published are the parameters of the notification as JSON text, written once for all
 * streams. A broker that fails is logged and fails nobody.
 */
export class Announcer {
  readonly #options: AnnouncerOptions;
  readonly #pending: Set<Promise<number>> = new Set();

  /** Publishes nothing yet. */
  constructor(options: AnnouncerOptions) {
    this.#options = options;
  }

  /**
   * Tells that a resource changed (S-21).
   *
   * @param partition Of whom; empty where the server has no partitions.
   * @returns How many were reached, as far as the broker knows.
   */
  resourceUpdated(uri: string, partition: string): Promise<number> {
    return this.#publish(this.#options.topics.resource(uri, partition), serialize({ uri }));
  }

  /** Tells that a list changed (S-22). @returns How many were reached. */
  listChanged(kind: ListKind): Promise<number> {
    return this.#publish(this.#options.topics.list(kind), "{}");
  }

  /**
   * Tells that the status of a task changed (J-35): the seam for whatever keeps tasks. Who may hear of
   * a task is asked through `ownsTask` when a client begins to listen, and again while it does.
   *
   * @param json The text of the whole task, as `tasks/get` would answer it at this moment, without
   * `resultType`.
   * @returns How many were reached.
   */
  publishTask(taskId: string, json: string): Promise<number> {
    return this.#publish(this.#options.topics.task(taskId), json);
  }

  /** Resolves once everything that was to be published is. */
  async settled(): Promise<void> {
    await Promise.all(this.#pending);
  }

  #publish(topic: Topic, json: string): Promise<number> {
    const { broker } = this.#options;
    if (broker === undefined) return Promise.resolve(0);
    const published = this.#send(broker, topic, json);
    this.#pending.add(published);
    published.then(() => this.#pending.delete(published));
    return published;
  }

  async #send(broker: Broker, topic: Topic, json: string): Promise<number> {
    try {
      return await broker.publish(topic.name, json);
    } catch (cause) {
      const { method } = topic;
      const message = "Publishing a change failed";
      const fields = { notification: method };
      this.#options.log({
        level: "warning",
        event: "subscription.publish",
        message,
        cause,
        fields,
      });
      return 0;
    }
  }
}
