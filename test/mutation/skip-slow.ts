import { beforeEach, type RunnerTask } from 'vitest';

/** Parts of titles of tests that repeat others with a slow store or with many rows. */
const repeated = /\(embedded\)|on pglite|many events to many endpoints/;

const fullName = ({ name, suite }: RunnerTask): string => (suite === undefined ? name : `${fullName(suite)} ${name}`);

beforeEach(({ task, skip }) => skip(repeated.test(fullName(task))));
