import { expect, test } from 'vitest';
import type { InteractionResult, Problem, Verification } from '../../contracts/tools/verification/result.ts';
import { changedCopy, type Edit } from './changed-copy.ts';

/** Each kind of change that would break a partner: where it is made, and where the report must point to. */
const changes = [
  {
    what: "a field's name",
    edits: [
      ['gateway/api/cohesion/schemas.ts', /taux_atteinte(?=: z)/, 'taux'],
      ['gateway/api/cohesion/views.ts', 'taux_atteinte: attainmentRate', 'taux: attainmentRate'],
    ],
    at: ['dashboard', 'the indicators', 'body', '$.data[0].taux_atteinte', '2. Resources and their fields'],
  },
  {
    what: "a field's type",
    edits: [
      ['gateway/api/pos/schemas.ts', /expires_in: z\s*\.int\(\)/, 'expires_in: z.string()'],
      ['gateway/api/pos/calls/issue-token.ts', 'expires_in, token_type', 'expires_in: String(expires_in), token_type'],
    ],
    at: ['till', 'valid credentials', 'body', '$.expires_in', '2. Resources and their fields'],
  },
  {
    what: 'a status',
    edits: [['gateway/api/cohesion/errors.ts', 'not_found: 404', 'not_found: 422']],
    at: ['dashboard', 'an unknown indicator', 'status', undefined, '7. Errors'],
  },
  {
    what: "a field's name in the pagination block",
    edits: [
      ['gateway/api/cohesion/schemas.ts', 'last_page: z', 'pages: z'],
      ['gateway/api/cohesion/domain/lists.ts', 'last_page: Math', 'pages: Math'],
    ],
    at: ['dashboard', 'the structures', 'body', '$.meta.last_page', '2. Resources and their fields'],
  },
  {
    what: 'the path of an operation',
    edits: [['gateway/api/pos/routes.ts', '/api/v1/payment/mobile', '/api/v1/payments/mobile']],
    at: ['till', 'a payment of a whole sale', 'status', undefined, '7. Errors'],
  },
  {
    what: "a field's name in an event",
    edits: [
      ['gateway/api/cohesion/events.ts', 'structure_id: z.int(),', 'structure: z.int(),'],
      ['gateway/api/cohesion/back-office/interventions.ts', 'structure_id: row.structure_id', 'structure: row.structure_id'],
    ],
    at: ['cohesion-webhook-receiver', 'intervention.validated', 'body', '$.data.structure_id', '6. Events'],
  },
  {
    what: 'the signature of webhooks',
    edits: [['gateway/webhooks/sending/sign.ts', 'sha256=', 'sha512=']],
    at: ['cohesion-webhook-receiver', 'plan.closed', 'metadata', 'X-SERVICE-Signature', '6. Events'],
  },
] as const;

test('a changed name, type, status, path or signature turns a verification red, at its place', async () => {
  const copy = await changedCopy(changes.flatMap(({ edits }) => edits as readonly Edit[]));
  const named = ['till-pos', 'dashboard-cohesion', 'cohesion-webhook-receiver-cohesion'].map(
    (name) => `contracts/pacts/${name}.json`,
  );
  const { code, stdout } = await copy.passerelle(['verify', '--json', '--pact', ...named]);
  expect(code).toBe(1);
  const { verifications } = JSON.parse(stdout) as { verifications: Verification[] };
  const all = verifications.flatMap(({ interactions }) => interactions);
  for (const { what, at } of changes) {
    const [consumer, description, kind, path, section] = at;
    const found = all.find((one) => one.consumer === consumer && one.description === description) as InteractionResult;
    const problem = found.problems.find((one) => one.kind === kind) as Problem;
    expect({ what, problems: found.problems, path: problem?.path, section: problem?.documented?.section }).toMatchObject({
      what,
      path,
      section,
    });
  }
  // Interactions about unchanged parts still verify.
  expect(all.filter(({ outcome }) => outcome === 'verified').length).toBeGreaterThan(all.length / 3);
});
