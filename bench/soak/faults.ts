import { Redis } from 'ioredis';
import type { Installation, Member, Role } from './installation.ts';
import type { Mode, SoakReceiver } from './receivers.ts';

export interface Fault {
  name: string;
  cause(): Promise<void>;
}

const seconds = (count: number) => new Promise<void>((resolve) => setTimeout(resolve, count * 1000));

/** Every fault heals itself before `cause` resolves. */
export function faultsOn(installation: Installation, receivers: readonly SoakReceiver[], random: () => number): Fault[] {
  const { postgres, redis, members } = installation;
  const any = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const anyOf = (role: Role): Member => any(members.filter((member) => member.role === role));
  const end = async (member: Member, signal: 'SIGKILL' | 'SIGTERM') => {
    member.process.child.kill(signal);
    await member.process.exited;
    await installation.restart(member);
  };
  const pause = async ({ process }: Member) => {
    process.child.kill('SIGSTOP');
    await seconds(20);
    process.child.kill('SIGCONT');
  };
  const outage = async (mode: Mode) => {
    const receiver = any(receivers);
    receiver.mode = mode;
    await seconds(60);
    receiver.mode = 'healthy';
  };
  const during = async ({ stop, start }: { stop(): unknown; start(): unknown }) => {
    await stop();
    await seconds(10);
    await start();
  };
  const flush = async () => {
    const client = new Redis(redis.url);
    await client.flushall();
    client.disconnect();
  };
  return [
    { name: 'gateway killed', cause: () => end(anyOf('api'), 'SIGKILL') },
    { name: 'gateway restarted', cause: () => end(anyOf('api'), 'SIGTERM') },
    { name: 'gateway paused', cause: () => pause(anyOf('api')) },
    { name: 'worker killed', cause: () => end(anyOf('worker'), 'SIGKILL') },
    { name: 'worker restarted', cause: () => end(anyOf('worker'), 'SIGTERM') },
    { name: 'worker paused', cause: () => pause(anyOf('worker')) },
    { name: 'Redis wiped', cause: flush },
    { name: 'Redis down', cause: () => during({ stop: redis.kill, start: redis.start }) },
    { name: 'Redis hung', cause: () => during({ stop: redis.hang, start: redis.resume }) },
    { name: 'PostgreSQL down', cause: () => during({ stop: postgres.kill, start: postgres.start }) },
    { name: 'PostgreSQL hung', cause: () => during({ stop: postgres.hang, start: postgres.resume }) },
    { name: 'receiver down', cause: () => outage('down') },
    { name: 'receiver silent', cause: () => outage('silent') },
  ];
}
