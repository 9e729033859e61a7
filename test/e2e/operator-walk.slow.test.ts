import { test } from 'vitest';
import { installation, onScale, operatorToken, start } from '../scale/services.ts';
import { operatorWalk, walkSettings } from './operator-walk.ts';
import { newDataDir, startProcess } from './process.ts';

const story = 'a receiver dies with hundreds of deliveries; the operator finds out, and recovers all of them';

test(`${story} (embedded)`, async () => {
  await operatorWalk(await startProcess({ ...walkSettings, DATA_DIR: newDataDir(), OPERATOR_TOKEN: operatorToken }));
});

onScale('an api and a worker', () => {
  test(story, async () => {
    const shared = await installation(walkSettings);
    const [api] = await Promise.all([start(shared, 'api'), start(shared, 'worker')]);
    await operatorWalk(api);
  });
});
