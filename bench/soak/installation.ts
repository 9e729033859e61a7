import { randomBytes } from 'node:crypto';
import { type AtEnd, type Started, startProcess } from '../../test/e2e/process.ts';
import { type Service, startPgBouncer, startPostgres, startRedis } from '../../test/scale/private-services.ts';

export type Role = 'api' | 'worker';

/** A process of the gateway that can be replaced while the load goes on. */
export interface Member {
  readonly name: string;
  readonly role: Role;
  process: Started;
}

export interface Installation {
  postgres: Service;
  redis: Service;
  members: Member[];
  operatorToken: string;
  /** Starts a new process in the place of one that has ended. */
  restart(member: Member): Promise<void>;
}

/** Rows older than an hour are removed, so that a soak of two hours shows whether the database stops growing. */
const retentionHours = { CALL_RETENTION_HOURS: '1', ATTEMPT_RETENTION_HOURS: '1', DELIVERY_RETENTION_HOURS: '1' };

/** Thirty attempts within 14 minutes: an outage of a receiver never exhausts them. */
const retrySeconds = ['0', '2', '5', '10', '20', ...Array.from({ length: 25 }, () => '30')].join(',');

/**
 * Starts PostgreSQL, Redis, two gateways and two workers, all with default settings but for retention, deadline and retries;
 * with a pooler, PgBouncer is before PostgreSQL. */
export async function startInstallation(atEnd: AtEnd, { pooler = false } = {}): Promise<Installation> {
  const [postgres, redis] = [await startPostgres({ atEnd }), await startRedis({ kept: true, atEnd })];
  const operatorToken = randomBytes(16).toString('hex');
  const settings = {
    DATABASE_URL: pooler ? (await startPgBouncer(postgres.url, { atEnd })).url : postgres.url,
    REDIS_URL: redis.url,
    SECRET_KEY: randomBytes(32).toString('hex'),
    OPERATOR_TOKEN: operatorToken,
    WEBHOOK_LOOPBACK: 'on',
    WEBHOOK_DEADLINE_MS: '5000',
    WEBHOOK_RETRY_SECONDS: retrySeconds,
    LOG_LEVEL: 'silent',
    ...retentionHours,
  };
  const startAs = (role: Role) => startProcess({ ...settings, ROLE: role }, ['--json'], atEnd);
  const names = ['gateway 1', 'gateway 2', 'worker 1', 'worker 2'];
  const members: Member[] = [];
  for (const name of names) {
    const role = name.startsWith('gateway') ? 'api' : 'worker';
    members.push({ name, role, process: await startAs(role) });
  }
  return {
    postgres,
    redis,
    members,
    operatorToken,
    async restart(member) {
      member.process = await startAs(member.role);
    },
  };
}
