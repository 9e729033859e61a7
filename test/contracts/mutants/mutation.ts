/** A change of one source file. A test fails if it changes nothing. */
export type Edit = readonly [file: string, before: string | RegExp, after: string];

/** A change of the provider that takes documented behaviours away from it. */
export interface Mutation {
  name: string;
  /** Ids of the behaviours that are lost. */
  breaks: readonly string[];
  edits: readonly Edit[];
  /** True if the states of the interactions notice it, because they make the calls that the document counts. */
  byState?: true;
}

/** Declares one change: its file, and the texts before and after. */
export const mutation = (name: string, breaks: string | readonly string[], ...edits: Edit[]): Mutation => ({
  name,
  breaks: [breaks].flat(),
  edits,
});

/** Takes a token also with the scheme Basic. */
export const withBasic: Edit = [
  'gateway/http/bearer.ts',
  "scheme.toLowerCase() !== 'bearer'",
  "!['bearer', 'basic'].includes(scheme.toLowerCase())",
];

/** Changes every reply before it is sent. `code` may use `reply` and `payload`, and assign to `payload`. */
export const everyReply = (code: string): Edit => [
  'gateway/http/mount.ts',
  "    scope.addHook('onRequest', admission",
  `    scope.addHook('onSend', async (_request, reply, payload) => {
      ${code}
      return payload;
    });
    scope.addHook('onRequest', admission`,
];
