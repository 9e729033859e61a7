import { Refusal } from '../gateway/base/errors.ts';
import type { TryIt } from '../gateway/docs/serve.ts';
import type { Services } from '../gateway/http/api.ts';
import type { ServiceName } from '../spec/documents/services.ts';
import type { OpenApi, Operation } from '../spec/openapi/document.ts';
import { filled } from '../spec/openapi/filled.ts';
import { findOperation } from '../spec/openapi/operations.ts';
import type { Credentials } from './credentials.ts';
import { type ExampleReply, examplesOf } from './examples/reply.ts';
import type { HelpParts } from './help/help.ts';
import type { StubMobileMoney } from './payments/mobile-money.ts';
import { isFromHere } from './strangers.ts';
import type { TestNumber } from './types.ts';

interface TryItParts {
  services: Pick<Services, 'store' | 'clock' | 'keys'>;
  operatorToken: string;
  payments?: Pick<StubMobileMoney, 'testNumbers'> | undefined;
}

/** Fills the API reference of a stub with requests the stub accepts and with its own credentials. */
export const tryIt = ({ services, operatorToken, payments }: TryItParts, about: () => HelpParts<ServiceName>): TryIt => ({
  filled: (name, document) =>
    name === about().api ? withReplies(filled(document as OpenApi, about().known, { optional: true }), about()) : document,
  forms: (name, document, known = about().known) =>
    name === about().api
      ? withTestNumbers(withPrefer(withReplies(filled(document as OpenApi, known), about())), payments?.testNumbers)
      : document,
  async token(name, request) {
    // The others are the manage API and /_stub.
    if (name !== about().api && name !== 'profile') return isFromHere(request) ? operatorToken : undefined;
    return tokenFor(about(), services);
  },
});

const tokenFor = <A extends ServiceName>({ api, credentials }: HelpParts<A>, services: TryItParts['services']) =>
  tokens[api](services, credentials);

type Token<A extends ServiceName> = (
  services: TryItParts['services'],
  credentials: Credentials[A],
) => Promise<string | undefined>;

const tokens: { [A in ServiceName]: Token<A> } = {
  pos: posToken,
  cohesion: async (_services, { token }) => token,
};

/** A token for an hour, issued without a call, so that opening the page leaves the journal empty. */
async function posToken({ store, clock, keys }: TryItParts['services'], { apiKey, apiSecret }: Credentials['pos']) {
  const [{ default: fastify }, { issueToken }, { registerTokens }] = await Promise.all([
    import('fastify'),
    import('../gateway/api/pos/calls/issue-token.ts'),
    import('../gateway/api/pos/domain/tokens.ts'),
  ]);
  const app = fastify();
  registerTokens(app, keys);
  await app.ready();
  try {
    return (await issueToken(store, app.jwt, { api_key: apiKey, api_secret: apiSecret }, clock.now())).token;
  } catch (error) {
    // The user may have revoked the key. The page then opens without a token.
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

/** The header that asks a stub for a fault. Only the forms have it, because the real APIs do not. */
const prefer = {
  name: 'Prefer',
  in: 'header',
  required: false,
  description:
    'Asks the stub for a fault, such as `code=503` or `delay=2s`, or for a reply by its name, such as `example=unavailable`.',
  schema: { type: 'string' },
};

/** Shows a request for each test number, in place of the one example. */
function withTestNumbers(document: OpenApi, numbers: readonly TestNumber[] = []): OpenApi {
  const content = document.paths['/api/v1/payment/mobile']?.post?.requestBody?.content?.['application/json'];
  if (!content || numbers.length === 0) return document;
  const { example } = content as { example?: object };
  const requests = numbers.map(({ name, phone, does }) => [name, { summary: `${name}: ${does}`, value: { ...example, phone } }]);
  // A document has one or the other.
  Object.assign(content, { example: undefined, examples: Object.fromEntries(requests) });
  return document;
}

function withPrefer({ paths, ...rest }: OpenApi): OpenApi {
  for (const operation of Object.values(paths).flatMap(Object.values))
    operation.parameters = [...(operation.parameters ?? []), prefer];
  return { ...rest, paths };
}

/** Adds the replies that `Prefer: example=NAME` asks for, and how to send each event. */
function withReplies({ paths, ...rest }: OpenApi, { api, url }: HelpParts<ServiceName>): OpenApi {
  for (const [path, item] of Object.entries(paths))
    for (const [method, operation] of Object.entries(item)) {
      const { operationId } = findOperation(api, method, path)?.operation ?? {};
      showReplies(operation, examplesOf(api).of(operationId));
    }
  const webhooks = structuredClone(rest.webhooks ?? {});
  for (const [type, { post }] of Object.entries(webhooks))
    if (post)
      Object.assign(post, {
        description: `Send one: \`passerelle trigger ${type} --at ${url} --to http://127.0.0.1:3000/hook\``,
      });
  return { ...rest, paths, webhooks };
}

/** Shows the replies that `Prefer: example=NAME` asks for. */
function showReplies({ responses }: Operation, examples: readonly ExampleReply[]): void {
  for (const [status, response] of Object.entries(responses)) {
    const replies = examples.filter((one) => String(one.status) === status);
    const content = response.content?.['application/json'];
    if (content && replies.length > 0)
      Object.assign(content, {
        examples: Object.fromEntries(
          replies.map(({ name, cause, body }) => [name, { summary: `${name}: ${cause}`, value: body }]),
        ),
      });
  }
}
