import { testTill } from './suite.ts';

testTill({ tells: false }, false);
