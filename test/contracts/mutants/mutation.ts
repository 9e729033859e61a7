/** A planted fault: a change of one source file that takes documented behaviours away from the provider. */
export interface Mutation {
  /** Ids of the behaviours that are lost. */
  breaks: readonly string[];
  file: string;
  before: string | RegExp;
  after: string;
  /** True if the states of the interactions notice it, because they make the calls that the document counts. */
  byState: boolean;
}

/** The behaviours that are lost, separated by spaces, and the texts before and after. With `state`, see `byState`. */
type Row = readonly [breaks: string, before: string | RegExp, after: string, byState?: 'state'];

/** Reads the table of an API: the rows of each file. */
export const mutations = (api: string, table: Readonly<Record<string, readonly Row[]>>): Mutation[] =>
  Object.entries(table).flatMap(([file, rows]) =>
    rows.map(([breaks, before, after, byState]) => {
      const ids = breaks.split(' ').map((id) => `${api}/${id}`);
      return { breaks: ids, file, before, after, byState: byState === 'state' };
    }),
  );

const hook = "    scope.addHook('onRequest', admission";

/** A row of `gateway/http/mount.ts` that changes every reply. `code` may use `reply` and `payload`, and assign to `payload`. */
export const everyReply = (breaks: string, code: string): Row => [
  breaks,
  hook,
  `    scope.addHook('onSend', async (_request, reply, payload) => {\n${code}\nreturn payload;\n});\n${hook}`,
];
