const DAY_MS = 86_400_000;

/** The day so many days after another, as in `2026-07-28`. */
export function daysFrom(day: Date, days: number): string {
  return new Date(day.getTime() + days * DAY_MS).toISOString().slice(0, 10);
}
