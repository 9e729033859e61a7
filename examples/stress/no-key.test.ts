import { testTill } from './suite.ts';

testTill({ sendsKeys: false });
