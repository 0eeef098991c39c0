/** What a caller asks a dispatcher for to hear of its tools; no tool behind one has that name. */
export const HELP = "help";
