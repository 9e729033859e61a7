import { expectTypeOf, test } from 'vitest';
import type { z } from 'zod';
import type { ServiceName } from '../../contracts/documents/services.ts';
import type { viewAttempt, viewDelivery } from '../../gateway/manage/webhooks/views.ts';
import type { DemoCredentials } from '../../gateway/start/demo.ts';
import type { CohesionToken, Credentials, PosAccount } from '../../stubs/credentials.ts';
import type { faultRuleSchema, faultSchema } from '../../stubs/faults/rule.ts';
import type { Fault, FaultRule } from '../../stubs/faults/types.ts';
import type { cohesionFixtures } from '../../stubs/seed/cohesion-shapes.ts';
import type { posFixtures } from '../../stubs/seed/pos.ts';
import type { CohesionFixtures, PosFixtures } from '../../stubs/seed/types.ts';
import type { StubAttempt, StubDelivery } from '../../stubs/webhook-types.ts';

/**
 * Public types are written out, so that whoever installs the package needs neither zod nor fastify for them. That they equal
 * what is checked and shown is for `npm run types` to say: at run time nothing here can fail.
 */
test('faults are what their schemas take', () => {
  expectTypeOf<Fault>().toEqualTypeOf<z.infer<typeof faultSchema>>();
  expectTypeOf<Fault>().toEqualTypeOf<z.input<typeof faultSchema>>();
  expectTypeOf<FaultRule>().toEqualTypeOf<z.infer<typeof faultRuleSchema>>();
  expectTypeOf<FaultRule>().toEqualTypeOf<z.input<typeof faultRuleSchema>>();
});

test('fixtures are what their schemas take', () => {
  expectTypeOf<PosFixtures>().toEqualTypeOf<z.input<typeof posFixtures>>();
  expectTypeOf<CohesionFixtures>().toEqualTypeOf<z.input<typeof cohesionFixtures>>();
});

test('deliveries are what the manage API shows', () => {
  expectTypeOf<Omit<StubDelivery, 'url' | 'attempts_made'>>().toEqualTypeOf<ReturnType<typeof viewDelivery>>();
  expectTypeOf<StubAttempt>().toEqualTypeOf<ReturnType<typeof viewAttempt>>();
});

test('credentials are those of the demo data, for each API that there is', () => {
  expectTypeOf<ServiceName>().toEqualTypeOf<keyof Credentials>();
  expectTypeOf<PosAccount[]>().toEqualTypeOf<DemoCredentials['pos']['accounts']>();
  expectTypeOf<CohesionToken[]>().toEqualTypeOf<DemoCredentials['cohesion']['tokens']>();
});
