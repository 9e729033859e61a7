/** The message of an error response: `error.message` of the point of sale and the manage API, `message` of cohesion. */
export function errorMessageOf(body: string | null): string | undefined {
  try {
    const reply = JSON.parse(body ?? '') as { message?: unknown; error?: { message?: unknown } };
    const message = reply.error?.message ?? reply.message;
    return typeof message === 'string' ? message : undefined;
  } catch {
    return undefined;
  }
}
