/** Tells whether a host name, as a URL writes it, is this machine. */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" ||
    /^127(\.[0-9]{1,3}){3}$/.test(hostname);
}
