import type { ServiceName } from '../contracts/documents/services.ts';
import type { OpenApi, Operation } from '../contracts/openapi/document.ts';
import { Refusal } from '../gateway/base/errors.ts';
import type { TryIt } from '../gateway/docs/serve.ts';
import type { Services } from '../gateway/http/api.ts';
import type { Credentials } from './credentials.ts';
import { type Example, exampleOf } from './help/example.ts';
import type { HelpParts } from './help/help.ts';

interface TryItParts {
  services: Pick<Services, 'store' | 'clock' | 'keys'>;
  operatorToken: string;
}

/** Fills the API reference of a stub with requests the stub accepts and with its own credentials. */
export function tryIt({ services, operatorToken }: TryItParts, about: () => HelpParts<ServiceName>): TryIt {
  return {
    prefilled: (name, document) => (name === about().api ? withExamples(document as OpenApi, about()) : document),
    async token(name) {
      const { api, credentials } = about();
      if (name === 'manage') return operatorToken;
      return tokens[api](services, credentials as never);
    },
  };
}

const tokens = {
  pos: posToken,
  cohesion: async (_services: TryItParts['services'], { token }: Credentials['cohesion']) => token,
};

/** A token for an hour, issued without a call, so that opening the page leaves the journal empty. */
async function posToken({ store, clock, keys }: TryItParts['services'], { apiKey, apiSecret }: Credentials['pos']) {
  const [{ default: fastify }, { default: jwt }, { issueToken }, { jwtOptions }] = await Promise.all([
    import('fastify'),
    import('@fastify/jwt'),
    import('../gateway/api/pos/calls/issue-token.ts'),
    import('../gateway/api/pos/domain/tokens.ts'),
  ]);
  const app = fastify();
  await app.register(jwt, jwtOptions(keys.derive('pos tokens')));
  try {
    return (await issueToken(store, app.jwt, { api_key: apiKey, api_secret: apiSecret }, clock.now())).token;
  } catch (error) {
    // The user may have revoked the key. The page then opens without a token.
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

/** The header that asks a stub for a fault. The OpenAPI documents do not have it, because the real APIs do not. */
const prefer = {
  name: 'Prefer',
  in: 'header',
  required: false,
  description: 'Asks the stub for a fault, such as `code=503` or `delay=2s`.',
  schema: { type: 'string' },
};

function withExamples(document: OpenApi, { url, known }: HelpParts<ServiceName>): OpenApi {
  const paths = structuredClone(document.paths);
  for (const [path, item] of Object.entries(paths))
    for (const [method, operation] of Object.entries(item))
      fillIn(operation, path, exampleOf({ method: method.toUpperCase(), path, operation }, known, new Set()));
  const webhooks = structuredClone(document.webhooks ?? {});
  for (const [type, { post }] of Object.entries(webhooks))
    if (post)
      Object.assign(post, {
        description: `Send one: \`passerelle trigger ${type} --at ${url} --to http://127.0.0.1:3000/hook\``,
      });
  return { ...document, paths, webhooks };
}

function fillIn(operation: Operation, template: string, { path, body }: Example): void {
  const values = parameterValues(template, path);
  for (const parameter of operation.parameters ?? []) {
    if (values.has(parameter.name)) Object.assign(parameter, { example: values.get(parameter.name) });
    // The page sends every parameter that has an example: an idempotency key would repeat the first reply.
    else delete parameter.schema?.example;
  }
  operation.parameters = [...(operation.parameters ?? []), prefer];
  const content = operation.requestBody?.content?.['application/json'];
  if (content && body !== undefined) Object.assign(content, { example: body });
}

/** The parameters in a path such as `/stores/7?days=2`, by the names that its template gives them. */
function parameterValues(template: string, path: string): Map<string, string> {
  const [filled = '', query] = path.split('?');
  const segments = filled.split('/');
  const values = new Map<string, string>(new URLSearchParams(query));
  for (const [at, segment] of template.split('/').entries())
    if (segment.startsWith('{')) values.set(segment.slice(1, -1), segments[at] ?? '');
  return values;
}
