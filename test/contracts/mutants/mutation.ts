/** A change of one source file. A test fails if it changes nothing. */
export type Edit = readonly [file: string, before: string | RegExp, after: string];

/** A change of the provider that takes documented behaviours away from it. */
export interface Mutation {
  name: string;
  /** Ids of the behaviours that are lost. */
  breaks: readonly string[];
  edits: readonly Edit[];
  /** True if the states of the interactions notice it, because they make the calls that the document counts. */
  byState: boolean;
}

/**
 * A row of the table: the behaviours that are lost, separated by spaces, and the texts before and after. With `state`, the states of
 * the interactions notice it.
 */
type Row = readonly [breaks: string, before: string | RegExp, after: string, byState?: 'state'];

export const mutation = (breaks: string, edits: readonly Edit[], byState = false): Mutation => ({
  name: edits.map(([file, before, after]) => `${breaks}: ${file}: ${before} -> ${after}`).join('; '),
  breaks: breaks.split(' '),
  edits,
  byState,
});

/** Reads the table of an API: the rows of each file. */
export const mutations = (api: string, table: Readonly<Record<string, readonly Row[]>>): Mutation[] =>
  Object.entries(table).flatMap(([file, rows]) =>
    rows.map(([breaks, before, after, byState]) => {
      const ids = breaks.split(' ').map((id) => `${api}/${id}`);
      return mutation(ids.join(' '), [[file, before, after]], byState === 'state');
    }),
  );

/** Takes a token also with the scheme Basic. */
export const withBasic = (breaks: string): Mutation =>
  mutation(breaks, [
    ['gateway/http/bearer.ts', "scheme.toLowerCase() !== 'bearer'", "!['bearer', 'basic'].includes(scheme.toLowerCase())"],
  ]);

/** Changes every reply before it is sent. `code` may use `reply` and `payload`, and assign to `payload`. */
export const everyReply = (breaks: string, code: string): Mutation => {
  const hook = "    scope.addHook('onRequest', admission";
  const added = `    scope.addHook('onSend', async (_request, reply, payload) => {\n${code}\nreturn payload;\n});\n${hook}`;
  return mutation(breaks, [['gateway/http/mount.ts', hook, added]]);
};
