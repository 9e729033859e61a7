/** Statuses with which a server names another address for the same request. */
const statuses = [301, 302, 303, 307, 308];

export const isRedirect = (status: unknown): boolean => statuses.includes(Number(status));

/** Advice if the given address redirects: neither the gateway nor most clients of an API follow a redirect. */
export const movedTo = (location: string | undefined): string =>
  `Redirects are not followed: pass the final address${location === undefined ? '' : ` (it redirects to ${location})`}.`;
