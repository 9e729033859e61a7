import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import type { InteractionResult, Problem, Verification } from '../../contracts/verification/result.ts';

const root = join(import.meta.dirname, '../..');

/** Each kind of change that would break a partner: where it is made, and where the report must point to. */
const changes = [
  {
    what: "a field's name",
    file: 'gateway/api/cohesion/indicators.ts',
    replace: /taux_atteinte(?=: (z|attainmentRate))/g,
    by: 'taux',
    found: { consumer: 'dashboard', description: 'an indicator', kind: 'body', path: '$.data[0]', section: '2.' },
  },
];
