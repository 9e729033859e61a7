import { z } from 'zod';
import type { Row } from '../../store/tables/index.ts';

/** Why a call was refused: the reply's message, what the document says of it, and a request that works. */
export const refusalView = z.object({
  code: z.string().nullable(),
  message: z.string().nullable().describe('As in the reply.'),
  document: z
    .object({ section: z.string(), says: z.string() })
    .nullable()
    .describe("The document's line about the status, or else about the operation."),
  gap: z
    .object({ id: z.string(), question: z.string(), choice: z.string() })
    .nullable()
    .describe('The entry of the gap register that the refusal depends on, if the document leaves the point open.'),
  example: z
    .object({ method: z.string(), path: z.string(), body: z.unknown().optional(), curl: z.string() })
    .nullable()
    .describe('A correct request for the operation; null if there is no such operation. Replace `$TOKEN` and the ids.'),
});

/** Explains a refusal; null for a call that was not refused. `origin` is the gateway's address. */
export async function explainRefusal(
  call: Pick<Row<'calls'>, 'method' | 'path' | 'status' | 'error_code' | 'response_body'>,
  api: 'pos' | 'cohesion',
  origin: string,
): Promise<z.input<typeof refusalView> | null> {
  if (call.status < 400) return null;
  // The documents are large, and few calls of a gateway need them.
  const [{ documented }, { findOperation }, { curlLine, exampleOf }, { findGap }] = await Promise.all([
    import('../../../spec/documents/documented.ts'),
    import('../../../spec/openapi/operations.ts'),
    import('../../../spec/openapi/example.ts'),
    import('../../../spec/gaps/gaps.ts'),
  ]);
  const found = findOperation(api, call.method, call.path.replace(new RegExp(`^/${api}(?=/)`), ''));
  const paths = found ? [found.path, found.path.replace('/api/v1', '')] : [];
  const lineOf = (section: string, begins: string) =>
    documented[api].find((line) => line.section.startsWith(`${section}. `) && line.says.startsWith(`${begins} |`));
  const ofOperation = paths.map((path) => lineOf('4', `${call.method} | ${path}`)).find((line) => line !== undefined);
  const shown = lineOf('7', String(call.status)) ?? ofOperation;
  const gap = findGap(`${api}.${call.error_code?.replaceAll('_', '-')}`);
  const example = found && exampleOf(found, {}, new Set());
  const token = found?.operation.security?.length === 0 ? undefined : '$TOKEN';
  return {
    code: call.error_code,
    message: messageIn(call.response_body),
    document: shown ? { section: shown.section, says: shown.says } : null,
    gap: gap ? { id: gap.id, question: gap.question, choice: gap.choice } : null,
    example: example ? { ...example, curl: curlLine(`${origin}/${api}`, example, token) } : null,
  };
}

function messageIn(body: string | null): string | null {
  try {
    const { message, error } = JSON.parse(body ?? '') as { message?: unknown; error?: { message?: unknown } };
    const found = message ?? error?.message;
    return typeof found === 'string' ? found : null;
  } catch {
    return null;
  }
}
