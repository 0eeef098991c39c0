import { McpServer, param, question, ServiceError, unrestricted } from "@limen/mcp";

/** Prices in cents. */
const FARES = { first: 14_900, second: 5900 } as const;
const EXTRAS = { seat: 500, bicycle: 1200 } as const;

/** Trips that were booked. */
export const bookings: object[] = [];

/**
 * Books trips: asks for what only the traveller knows, and has the price agreed to before it books.
 *
 * The questions are sealed under a key of this process. Where several share the work, give them one
 * `secret` in its place.
 */
const server = new McpServer({
  name: "trips",
  version: "1.0.0",
  requestState: { singleProcess: true },
});

server.tool("trips_book", {
  description: "Books a train trip. The traveller is asked for the day and agrees to the price.",
  effect: "act",
  reads: { to: param.string({ required: true, help: "Where to, such as Rome." }) },
  permissions: [unrestricted],
}, async ({ args: { to }, ask, confirm }) => {
  const { trip } = ask({
    trip: question.form(`When do you want to go to ${to}?`, {
      day: param.string({ required: true, format: "date", help: "The day of departure." }),
      class: param.string({ choices: ["first", "second"], default: "second" }),
      extras: param.array(param.string({ choices: ["seat", "bicycle"] }), { default: [] }),
    }),
  });
  if (trip.action !== "accept") throw new ServiceError("The traveller named no day.");

  const { day, class: comfort, extras } = trip.content;
  const extra = extras.reduce((sum, one) => sum + EXTRAS[one], 0);
  const booking = { to, day, class: comfort, extras, cents: FARES[comfort] + extra };
  const euros = (booking.cents / 100).toFixed(2);
  await confirm(`Book ${to} on ${day} for ${euros} euros?`, booking);

  bookings.push(booking); // from here on it has happened
  return `Booked: ${to} on ${day} for ${euros} euros.`;
});

export default server;
