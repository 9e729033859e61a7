import fastifyRateLimit from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import type { Redis } from '../../base/redis.ts';
import { type Count, counterOn, type Uncounted } from './limit.ts';

export interface CounterOptions {
  redis: Redis;
  /** The prefix of the counters' keys in Redis. */
  namespace: string;
  /** Handles calls that Redis could not count. */
  uncounted: Uncounted;
}

/** Registers @fastify/rate-limit, whose counters in Redis count the calls of all processes together. */
export async function shareCounters(app: FastifyInstance, { redis, namespace, uncounted }: CounterOptions): Promise<Count> {
  await app.register(fastifyRateLimit, { global: false, redis, nameSpace: namespace });
  return counterOn(app, uncounted);
}
