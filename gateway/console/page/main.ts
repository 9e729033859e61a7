import { start } from './start.ts';
import { text } from './texts/index.ts';
import { setSharedTexts } from './texts/shared.ts';

await start({
  base: '/console',
  connection: { prefix: '/manage/v1', guardHeader: 'x-passerelle-console' },
  loadTexts: async () => setSharedTexts(text),
  load: () => import('./root.tsx'),
});
