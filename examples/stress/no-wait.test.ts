import { testTill } from './suite.ts';

testTill({ waits: false });
