import { describe } from 'vitest';
import { compiledSamples } from './programs.ts';
import { describeSample } from './sample-tests.ts';

describe.for(compiledSamples)('$title', { concurrent: false }, describeSample);
