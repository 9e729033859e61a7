import { expectTypeOf, test } from 'vitest';
import type { z } from 'zod';
import type { viewAttempt, viewDelivery } from '../../gateway/manage/webhooks/views.ts';
import type { DemoCredentials } from '../../gateway/start/demo.ts';
import type { ServiceName } from '../../spec/documents/services.ts';
import type { CohesionToken, Credentials, PosAccount } from '../../stubs/credentials.ts';
import type { faultRuleSchema, faultSchema } from '../../stubs/faults/rule.ts';
import type { Fault, FaultRule } from '../../stubs/faults/types.ts';
import type { cohesionFixtures } from '../../stubs/seed/cohesion-shapes.ts';
import type { posFixtures } from '../../stubs/seed/pos.ts';
import type { CohesionFixtures, PosFixtures } from '../../stubs/seed/types.ts';
import type { StubAttempt, StubDelivery } from '../../stubs/webhook-types.ts';

/**
 * Public types are written out, so that users of the package need neither zod nor fastify. `npm run types` checks that
 * they equal the schemas. At run time nothing here can fail.
 */
test('faults have the types of their schemas', () => {
  expectTypeOf<Fault>().toEqualTypeOf<z.infer<typeof faultSchema>>();
  expectTypeOf<Fault>().toEqualTypeOf<z.input<typeof faultSchema>>();
  expectTypeOf<FaultRule>().toEqualTypeOf<z.infer<typeof faultRuleSchema>>();
  expectTypeOf<FaultRule>().toEqualTypeOf<z.input<typeof faultRuleSchema>>();
});

test('fixtures have the types of their schemas', () => {
  expectTypeOf<PosFixtures>().toEqualTypeOf<z.input<typeof posFixtures>>();
  expectTypeOf<CohesionFixtures>().toEqualTypeOf<z.input<typeof cohesionFixtures>>();
});

test('deliveries have the types of the manage API', () => {
  expectTypeOf<Omit<StubDelivery, 'url' | 'body' | 'attempts_made'>>().toEqualTypeOf<ReturnType<typeof viewDelivery>>();
  expectTypeOf<StubAttempt>().toEqualTypeOf<ReturnType<typeof viewAttempt>>();
});

test('credentials have the types of the demo data, for each API, and their owner', () => {
  expectTypeOf<ServiceName>().toEqualTypeOf<keyof Credentials>();
  expectTypeOf<Omit<PosAccount, 'owner'>[]>().toEqualTypeOf<DemoCredentials['pos']['accounts']>();
  expectTypeOf<Omit<CohesionToken, 'owner'>[]>().toEqualTypeOf<DemoCredentials['cohesion']['tokens']>();
});
