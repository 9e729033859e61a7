import { testShop } from './suite.ts';

testShop();
