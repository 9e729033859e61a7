/**
 * Writes the collections of both APIs for Bruno, Postman and Arazzo, and the events as AsyncAPI. With --check it only compares them, and
 * exits with 1 if one is out of date.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { type ServiceName, serviceNames, services } from '../../documents/services.ts';
import cohesion from '../../openapi/cohesion.json' with { type: 'json' };
import pos from '../../openapi/pos.json' with { type: 'json' };
import { type Flow, flows, type Step } from './flows.ts';

const documents = { pos, cohesion };
const folder = join(import.meta.dirname, '../../../collections');
const stubUrl = (api: ServiceName) => `http://localhost:${services[api].stubPort}`;

/** The steps as files of a Bruno collection, by name. */
function brunoFiles(api: ServiceName, { variables, steps }: Flow): Record<string, string> {
  const block = (name: string, lines: readonly string[]) => `${name} {\n${lines.map((line) => `  ${line}\n`).join('')}}\n`;
  const pairs = (values: object) => Object.entries(values).map(([name, value]) => `${name}: ${value}`);
  const inBody = (path: string) => `res.body.${path.replaceAll(/\.(\d+)/g, '[$1]')}`;
  const stepFile = (step: Step, at: number) =>
    [
      block('meta', pairs({ name: step.name, type: 'http', seq: at + 1 })),
      block(
        step.method.toLowerCase(),
        pairs({ url: `{{baseUrl}}${step.path}`, body: step.body ? 'json' : 'none', auth: step.isPublic ? 'none' : 'inherit' }),
      ),
      step.body && block('body:json', step.body.split('\n')),
      block('assert', [
        `res.status: eq ${step.status}`,
        ...Object.entries(step.has ?? {}).map(([path, value]) => `${inBody(path)}: eq ${value}`),
        ...(step.shows ?? []).map((path) => `${inBody(path)}: isDefined`),
      ]),
      step.keeps &&
        block(
          'script:post-response',
          Object.entries(step.keeps).map(([name, path]) => `bru.setVar('${name}', ${inBody(path)});`),
        ),
    ]
      .filter((part) => part !== undefined)
      .join('\n');
  return {
    'bruno.json': `${JSON.stringify({ version: '1', name: services[api].documentTitle, type: 'collection' })}\n`,
    'collection.bru': `${block('auth', ['mode: bearer'])}\n${block('auth:bearer', ['token: {{token}}'])}`,
    'environments/stub.bru': block('vars', pairs({ baseUrl: stubUrl(api), ...variables })),
    ...Object.fromEntries(steps.map((step, at) => [`${step.name}.bru`, stepFile(step, at)])),
  };
}

/** Postman's collection format 2.1. */
function postmanCollection(api: ServiceName, { variables, steps }: Flow) {
  const inBody = (path: string) => `body${path.replaceAll(/(?:^|\.)(\w+)/g, "['$1']")}`;
  const item = ({ name, method, path, body, isPublic, status, has = {}, shows = [], keeps = {} }: Step) => ({
    name,
    event: [
      {
        listen: 'test',
        script: {
          type: 'text/javascript',
          exec: [
            `pm.test('${name}', () => {`,
            `  pm.response.to.have.status(${status});`,
            '  const body = pm.response.json();',
            ...Object.entries(has).map(([at, value]) => `  pm.expect(${inBody(at)}).to.eql(${JSON.stringify(value)});`),
            ...shows.map((at) => `  pm.expect(${inBody(at)}).to.not.be.undefined;`),
            ...Object.entries(keeps).map(([variable, at]) => `  pm.collectionVariables.set('${variable}', ${inBody(at)});`),
            '});',
          ],
        },
      },
    ],
    request: {
      method,
      ...(isPublic && { auth: { type: 'noauth' } }),
      url: `{{baseUrl}}${path}`,
      ...(body && { body: { mode: 'raw', raw: body, options: { raw: { language: 'json' } } } }),
    },
  });
  return {
    info: {
      name: services[api].documentTitle,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}', type: 'string' }] },
    variable: Object.entries({ baseUrl: stubUrl(api), ...variables }).map(([key, value]) => ({ key, value: String(value) })),
    item: steps.map(item),
  };
}

/** One workflow of Arazzo 1.0, over the API's OpenAPI document. */
function arazzoDocument(api: ServiceName, { variables, steps }: Flow) {
  const stepIds = steps.map(({ name }) => name.toLowerCase().replaceAll(/\W+/g, '-'));
  /** Where a variable comes from: the last step before this one that keeps it, or an input. */
  const source = (name: string, before: number): string => {
    const at = steps.slice(0, before).findLastIndex(({ keeps = {} }) => name in keeps);
    return at < 0 ? `$inputs.${name}` : `$steps.${stepIds[at]}.outputs.${name}`;
  };
  const filled = (text: string, at: number) => text.replace(/^\{\{(\w+)\}\}$/, (_, name: string) => source(name, at));
  const inBody = (path: string) => `$response.body#/${path.replaceAll('.', '/')}`;
  const value = (one: string | number | boolean) => (typeof one === 'string' ? `'${one}'` : String(one));
  const step = ({ operation, path, body, isPublic, status, has = {}, shows = [], keeps }: Step, at: number) => {
    const [plain = '', query] = path.split('?');
    const inPath = [...plain.matchAll(/\{\{(\w+)\}\}/g)].map(([text]) => ({ name: 'id', in: 'path', value: filled(text, at) }));
    const inQuery = [...new URLSearchParams(query)].map(([name, text]) => ({ name, in: 'query', value: filled(text, at) }));
    const authorization = { name: 'Authorization', in: 'header', value: `Bearer {${source('token', at)}}` };
    const parameters = [...(isPublic ? [] : [authorization]), ...inPath, ...inQuery];
    const payload = body && JSON.parse(body.replaceAll(/"?(\{\{\w+\}\})"?/g, (_, text: string) => `"${filled(text, at)}"`));
    return {
      stepId: stepIds[at],
      operationId: operation,
      ...(parameters.length > 0 && { parameters }),
      ...(payload && { requestBody: { contentType: 'application/json', payload } }),
      successCriteria: [
        { condition: `$statusCode == ${status}` },
        ...Object.entries(has).map(([name, one]) => ({ condition: `${inBody(name)} == ${value(one)}` })),
        ...shows.map((name) => ({ condition: `${inBody(name)} != null` })),
      ],
      ...(keeps && { outputs: Object.fromEntries(Object.entries(keeps).map(([name, where]) => [name, inBody(where)])) }),
    };
  };
  const properties = Object.entries(variables).map(([name, one]) => [name, { type: typeof one, default: one }]);
  return {
    arazzo: '1.0.1',
    info: { title: services[api].documentTitle, version: documents[api].info.version },
    sourceDescriptions: [{ name: api, url: `../../contracts/openapi/${api}.json`, type: 'openapi' }],
    workflows: [
      {
        workflowId: 'all-operations',
        summary: 'Every operation once, and a refusal',
        inputs: { type: 'object', properties: Object.fromEntries(properties) },
        steps: steps.map(step),
      },
    ],
  };
}

interface Webhook {
  operationId: string;
  summary: string;
  description?: string;
  parameters: { $ref: string }[];
  requestBody: { content: { 'application/json': { schema: object; example: object } } };
}

/** The events of both APIs as AsyncAPI 3, made of the webhooks in their OpenAPI documents. */
function asyncapiDocument() {
  const events = serviceNames.flatMap((api) =>
    Object.entries(documents[api].webhooks as unknown as Readonly<Record<string, { post: Webhook }>>).map(
      ([event, { post }]) => ({
        api,
        event,
        ...post,
      }),
    ),
  );
  const headersOf = (api: ServiceName) =>
    Object.values(
      documents[api].components.parameters as Readonly<
        Record<string, { name: string; in: string; schema: object; description: string }>
      >,
    )
      .filter((one) => /^(webhook-|X-SERVICE-)/.test(one.name))
      .map(({ name, schema, description }) => [name, { ...schema, description }] as const);
  const ref = (...path: string[]) => ({ $ref: `#/${path.join('/')}` });
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Webhooks of both APIs',
      version: documents.pos.info.version,
      description:
        'POST requests to the URL of an endpoint, signed as the headers say, and sent again until the receiver answers 2xx.',
    },
    defaultContentType: 'application/json',
    channels: Object.fromEntries(
      serviceNames.map((api) => {
        const own = events.filter((one) => one.api === api);
        const messages = Object.fromEntries(own.map(({ event }) => [event, ref('components', 'messages', event)]));
        return [api, { title: services[api].documentTitle, messages }];
      }),
    ),
    operations: Object.fromEntries(
      events.map(({ api, event, operationId, summary }) => [
        operationId,
        { action: 'send', channel: ref('channels', api), summary, messages: [ref('channels', api, 'messages', event)] },
      ]),
    ),
    components: {
      messages: Object.fromEntries(
        events.map(({ api, event, summary, description, requestBody }) => {
          const { schema, example } = requestBody.content['application/json'];
          const headers = ref('components', 'schemas', `${api}-headers`);
          return [
            event,
            { name: event, title: summary, description, headers, payload: schema, examples: [{ payload: example }] },
          ];
        }),
      ),
      schemas: Object.fromEntries(
        serviceNames.map((api) => {
          const headers = Object.fromEntries(headersOf(api));
          return [`${api}-headers`, { type: 'object', properties: headers, required: Object.keys(headers) }];
        }),
      ),
    },
  };
}

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
const written: Readonly<Record<string, string>> = {
  'events.asyncapi.json': json(asyncapiDocument()),
  ...Object.fromEntries(
    serviceNames.flatMap((api) => [
      ...Object.entries(brunoFiles(api, flows[api])).map(([file, text]) => [`${api}/${file}`, text]),
      [`${api}/postman.json`, json(postmanCollection(api, flows[api]))],
      [`${api}/arazzo.json`, json(arazzoDocument(api, flows[api]))],
    ]),
  ),
};

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const outdated = Object.entries(written).filter(([name, text]) => {
  const file = join(folder, name);
  return !existsSync(file) || readFileSync(file, 'utf8') !== text;
});
if (values.check && outdated.length > 0) {
  process.stderr.write(
    `out of date: ${outdated.map(([name]) => name).join(', ')}. Run npm run collections and commit what it wrote.\n`,
  );
  process.exitCode = 1;
}
for (const [name, text] of values.check ? [] : outdated) {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
