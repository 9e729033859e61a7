import { start } from './start.ts';
import { loadTexts } from './texts/index.ts';

await start({
  base: '/console',
  connection: { prefix: '/manage/v1', guardHeader: 'x-passerelle-console' },
  loadTexts,
  load: () => import('./root.tsx'),
});
