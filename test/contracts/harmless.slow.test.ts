import { expect, onTestFinished, test } from 'vitest';
import { type Copy, readWritten, replay } from '../../contracts/tools/assumptions/replay.ts';
import { type Recorded, verify } from '../../contracts/tools/verification/run.ts';
import { readPacts } from '../../contracts/tools/verification/sources.ts';
import { serviceNames } from '../../spec/documents/services.ts';
import { parsed } from '../../spec/openapi/asked.ts';
import { written } from '../../stubs/assume/harmless/json.ts';
import { withOtherCharset } from '../../stubs/assume/harmless/wire.ts';

/** Pact's equality tells 99.0 from 99. A client's JSON parser does not: our two pacts of exact stock mean the number. */
const onlyWritten = /^Expected (-?\d+)\.0 \(Decimal\) to be equal to \1 \(Integer\)$/;

test.each(serviceNames)('our pacts with %s hold for the answers as harmless changes write them', async (provider) => {
  const { pacts, close } = await readPacts([new URL('../../contracts/pacts', import.meta.url).pathname]);
  onTestFinished(close);
  const from = pacts.filter((one) => one.provider === provider);
  const { recorded, verification } = await verify({ provider, from });
  expect(verification.interactions.filter(({ outcome }) => outcome !== 'verified')).toEqual([]);
  expect(recorded.length).toBeGreaterThan(3);
  const rewritten = (body: unknown) => written(body, { api: provider, has: () => true });
  const changed = (answer: Recorded['answer']): Copy['answer'] => {
    // Names of metadata are Pact's, not those of headers: Pact compares their case.
    if ('message' in answer) return { message: { ...answer.message, body: rewritten(parsed(answer.message.body)) } };
    const { status, headers, text } = answer.reply;
    const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    const type = lower['content-type'];
    const otherHeaders = { ...lower, ...(type !== undefined && { 'content-type': withOtherCharset(type) }) };
    const body = parsed(text);
    return { reply: { status, headers: otherHeaders, body: body === undefined ? undefined : rewritten(body) } };
  };
  const copies = await Promise.all(
    recorded.map(async ({ source, index, answer }): Promise<Copy> => {
      const pact = await readWritten(source);
      return { pact, interaction: pact.interactions[index] as Copy['interaction'], answer: changed(answer) };
    }),
  );
  const failed = (await replay(provider, copies)).flatMap((all, at) => {
    const problems = all.filter(({ message }) => !onlyWritten.test(message));
    const { source, index = 0 } = recorded[at] ?? {};
    return problems.length > 0 ? [{ interaction: source?.interactions[index]?.description, problems }] : [];
  });
  expect(failed).toEqual([]);
});
