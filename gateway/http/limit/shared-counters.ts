import fastifyRateLimit from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import type { Redis } from '../../base/redis.ts';
import { type Count, counterOn, type Uncounted } from './limit.ts';

export interface CounterOptions {
  /** Counts for all processes together. Without it this process counts for itself. */
  redis?: Redis | undefined;
  /** The prefix of the counters' keys in Redis. */
  namespace: string;
  /** Handles calls that Redis could not count. */
  uncounted: Uncounted;
}

/** Registers @fastify/rate-limit, whose counters count the calls of the app. */
export async function registerCounters(app: FastifyInstance, { redis, namespace, uncounted }: CounterOptions): Promise<Count> {
  const place = redis ? { redis, nameSpace: namespace } : { cache: 100_000 };
  await app.register(fastifyRateLimit, { global: false, ...place });
  return counterOn(app, redis ? uncounted : undefined);
}
