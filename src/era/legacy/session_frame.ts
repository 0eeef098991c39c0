/** What travels on the topic of a session. */
export type SessionFrame =
  /** A message, with its number where it was recorded. */
  | { readonly type: "message"; readonly json: string; readonly id?: number }
  /** A stream was opened, and takes over from the one before. */
  | { readonly type: "opened"; readonly token: string }
  /** The session ended. */
  | { readonly type: "ended" };

/** Writes a frame: the JSON of a message stands last, as it is. */
export function writeFrame(frame: SessionFrame): string {
  if (frame.type === "message") return `message ${frame.id ?? "-"} ${frame.json}`;
  return frame.type === "opened" ? `opened ${frame.token}` : "ended";
}

/** Reads a frame that this library wrote. */
export function readFrame(payload: string): SessionFrame {
  const [type, second = ""] = payload.split(" ", 2);
  if (type === "ended") return { type };
  if (type === "opened") return { type, token: second };
  const json = payload.slice(payload.indexOf(" ", payload.indexOf(" ") + 1) + 1);
  return second === "-" ? { type: "message", json } : { type: "message", json, id: Number(second) };
}
