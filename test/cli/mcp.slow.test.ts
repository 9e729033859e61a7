import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, onTestFinished, test } from 'vitest';
import { newSigningSecret, signatureHeaders } from '../../gateway/webhooks/sending/sign.ts';
import { longestWaitMs } from '../longest-wait.ts';
import { passedOn } from '../program.ts';
import { openStub } from '../stubs/partner.ts';

const program = join(process.env.PASSERELLE_PACKAGE ?? join(import.meta.dirname, '../..'), 'cli/bin.js');
const secret = newSigningSecret();

/** A coding agent: the client of the protocol's own library, which starts the server as agents do. */
async function agent(env: Record<string, string> = {}) {
  const client = new Client({ name: 'agent', version: '1.0.0' });
  onTestFinished(() => client.close());
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [program, 'mcp'],
      env: { ...passedOn, PASSERELLE_SIGNING_SECRET: secret, ...env },
    }),
  );
  const ask = async (name: string, args: Record<string, unknown>) => {
    const { content, isError = false } = await client.callTool({ name, arguments: args }, { timeout: longestWaitMs });
    const [said] = content as { text: string }[];
    return { isError, text: said?.text ?? '' };
  };
  /** What a tool answers, which is JSON. */
  const answer = async (name: string, args: Record<string, unknown>) => {
    const { isError, text } = await ask(name, args);
    expect({ isError, text }).toMatchObject({ isError: false });
    return JSON.parse(text);
  };
  return { client, ask, answer };
}

test('answers from the documents, the register and the examples, and names what it does not know', async () => {
  const { client, ask, answer } = await agent();
  const { tools } = await client.listTools();
  for (const { inputSchema, description } of tools)
    expect([inputSchema.additionalProperties, !description]).toEqual([false, false]);

  const { lines, open_questions } = await answer('search_documents', { words: 'currency', api: 'pos' });
  expect(lines).toMatchObject([{ document: 'spec/point-of-sale.md', says: expect.stringContaining('Currency') }]);
  const [first] = open_questions;
  expect(first).toMatchObject({ id: 'pos.currency', named_alternatives: [{ played: true }, { played: true }] });
  expect((await answer('search_documents', { words: 'the' })).left_out).toBeGreaterThan(0);
  expect(await ask('search_documents', { words: 'blockchain' })).toEqual({
    isError: true,
    text: 'Neither the documents nor the gap register contain "blockchain". Try fewer or other words.',
  });
  expect(await ask('search_documents', { wordz: 'currency' })).toMatchObject({
    isError: true,
    text: expect.stringContaining('wordz'),
  });

  const sold = { api: 'pos', operation: 'createSale' };
  expect(await answer('example_reply', { ...sold, wanted: 'insufficient_stock' })).toMatchObject({ status: 400 });
  expect(await answer('example_reply', sold)).toContainEqual(
    expect.objectContaining({ name: 'insufficient_stock', status: 400 }),
  );
  expect(await ask('example_reply', { ...sold, wanted: 'insufficient_stok' })).toMatchObject({
    isError: true,
    text: expect.stringContaining('insufficient_stock'),
  });
  expect(await ask('example_reply', { api: 'pos', operation: 'createSal' })).toMatchObject({
    isError: true,
    text: expect.stringContaining('Did you mean createSale?'),
  });
});

test('says why a call was refused and why a signature does not match, and plays a fault', async () => {
  const stub = await openStub('pos');
  const { ask, answer } = await agent({ PASSERELLE_URL: stub.url });
  await fetch(`${stub.url}/api/v1/sales`, { method: 'POST' });
  expect(await answer('explain_calls', {})).toMatchObject([
    {
      path: '/api/v1/sales',
      status: 401,
      responseBody: { help: { documented: { section: '5. Authentication' }, gap: { id: 'pos.token-endpoints' } } },
    },
  ]);
  expect(await answer('faults', { action: 'add', values: ['createSale:status=503,times=1'] })).toMatchObject([
    { rule: 'createSale:status=503,times=1' },
  ]);
  expect((await fetch(`${stub.url}/api/v1/sales`, { method: 'POST' })).status).toBe(503);
  expect(await ask('faults', { action: 'add', values: ['createSal:status=503'] })).toMatchObject({
    isError: true,
    text: expect.stringContaining('createSale'),
  });

  const body = '{"event": "sale.completed"}';
  const headers = signatureHeaders({
    eventId: 'evt_1',
    body,
    atMs: Date.now(),
    secrets: [secret],
    headerName: 'X-SERVICE-Signature',
  });
  expect(await answer('check_signature', { raw_body: body, headers })).toMatchObject({ valid: true });
  const reserialized = { raw_body: JSON.stringify(JSON.parse(body)), headers, language: 'php' };
  const found = await answer('check_signature', reserialized);
  expect(found).toMatchObject({ valid: false, findings: [{ says: expect.any(String), fix: expect.any(String) }] });
  expect(JSON.stringify(found)).not.toContain(secret);
});

test('asks about a suite, and says why it could not', async () => {
  const { ask } = await agent();
  const suite = { question: 'coverage', apis: ['cohesion'] };
  const script = "await fetch(process.env.PASSERELLE_COHESION_URL + '/api/v1/me')";
  const found = await ask('examine_suite', { ...suite, command: [process.execPath, '--input-type=module', '-e', script] });
  expect(found).toMatchObject({ isError: false, text: expect.stringContaining('GET /api/v1/me') });
  expect(await ask('examine_suite', { ...suite, command: ['true'] })).toMatchObject({
    isError: true,
    text: expect.stringContaining('did not call the stub of cohesion'),
  });
});
