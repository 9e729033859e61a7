import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** Functions that a program answers questions with, by their names. */
export type Asks = Record<string, (given: never) => unknown>;

/** A program of this folder in a process of its own. It answers one question at a time. */
export interface Asked<A extends Asks> {
  ask<Name extends keyof A & string>(name: Name, ...given: Parameters<A[Name]>): Promise<Awaited<ReturnType<A[Name]>>>;
  /** Lets it end in order, without what it has under way. It removes its folder and writes its profile. */
  end(): Promise<void>;
}

type Answer = { answer: unknown } | { error: string };

/** Starts a program that calls `answerAsks`, and waits until it is ready. `args`: Node's, the path, its own. */
export async function startAsked<A extends Asks>(args: string[], env: Record<string, string> = {}): Promise<Asked<A>> {
  const program = args.findIndex((one) => one.endsWith('.ts'));
  const child: ChildProcess = fork(args[program] as string, args.slice(program + 1), {
    execArgv: args.slice(0, program),
    env: { ...process.env, ...env },
  });
  const exited = once(child, 'exit');
  const ended = exited.then(() => Promise.reject(new Error(`${args[program]} ended`)));
  ended.catch(() => {});
  const nextAnswer = async () => {
    const [message] = (await Promise.race([once(child, 'message'), ended])) as [Answer];
    if ('error' in message) throw new Error(message.error);
    return message.answer;
  };
  await nextAnswer();
  return {
    async ask(name, ...given) {
      const answer = nextAnswer();
      child.send({ name, given: given[0] ?? null });
      return (await answer) as never;
    },
    async end() {
      child.disconnect();
      await exited;
    },
  };
}

/** Answers the questions of the program that started this one, until that one ends. */
export function answerAsks(asks: Asks): void {
  process.on('message', async ({ name, given }: { name: string; given: never }) => {
    try {
      process.send?.({ answer: (await asks[name]?.(given)) ?? null });
    } catch (error) {
      process.send?.({ error: (error as Error).stack });
    }
  });
  process.on('disconnect', () => process.exit());
  process.send?.({ answer: 'ready' });
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Milliseconds since 1970 with fractions, which agree between the processes of a machine. */
export const nowMs = (): number => performance.timeOrigin + performance.now();
