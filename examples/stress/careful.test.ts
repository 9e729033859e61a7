import { testTill } from './suite.ts';

testTill();
