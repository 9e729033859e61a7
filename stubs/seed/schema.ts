import { z } from 'zod';
import type { ServiceName } from '../../spec/documents/services.ts';
import { cohesionFixtures } from './cohesion-shapes.ts';
import { posFixtures } from './pos.ts';

const shapes: Readonly<Record<ServiceName, z.ZodType>> = { pos: posFixtures, cohesion: cohesionFixtures };

/** Returns the JSON Schema of an API's seeds. References between rows, and sums, are checked only when a stub starts. */
export const seedSchema = (api: ServiceName): object => z.toJSONSchema(shapes[api], { io: 'input', unrepresentable: 'any' });
