import { testShop } from './suite.ts';

testShop({ looks: false });
