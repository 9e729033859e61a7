import { expect, test } from 'vitest';
import { closeFeatures, resetFeatures, startFeatures } from '../../gateway/base/features.ts';

function featuresThat(log: string[], ...failing: string[]) {
  const step = (what: string) => async () => {
    await Promise.resolve();
    log.push(what);
    if (failing.includes(what)) throw new Error(`${what} failed`);
  };
  return ['a', 'b', 'c'].map((name) => ({
    start: step(`start ${name}`),
    close: step(`close ${name}`),
    reset: step(`reset ${name}`),
  }));
}

test('features start one after the other, and close and reset in reverse order', async () => {
  const log: string[] = [];
  const features = [{}, ...featuresThat(log)];
  await startFeatures(features);
  expect(log.splice(0)).toEqual(['start a', 'start b', 'start c']);
  await resetFeatures(features);
  expect(log.splice(0)).toEqual(['reset c', 'reset b', 'reset a']);
  await closeFeatures(features);
  expect(log).toEqual(['close c', 'close b', 'close a']);
});

test('if a feature fails to start, it and those before it are closed, and the error is thrown', async () => {
  const log: string[] = [];
  await expect(startFeatures(featuresThat(log, 'start b'))).rejects.toThrow('start b failed');
  expect(log).toEqual(['start a', 'start b', 'close b', 'close a']);
});

test('if features cannot be closed, the others are closed, and the first error or all of them are thrown', async () => {
  const log: string[] = [];
  await expect(closeFeatures(featuresThat(log, 'close b'))).rejects.toThrow('close b failed');
  expect(log.splice(0)).toEqual(['close c', 'close b', 'close a']);
  await expect(closeFeatures(featuresThat(log, 'close c', 'close a'))).rejects.toMatchObject({
    message: '2 parts could not be closed.',
    errors: [new Error('close c failed'), new Error('close a failed')],
  });
  await expect(startFeatures(featuresThat(log, 'start c', 'close b'))).rejects.toThrow('start c failed');
  expect(log.slice(-3)).toEqual(['close c', 'close b', 'close a']);
});
