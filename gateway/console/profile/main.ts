import { start } from '../page/start.ts';
import { loadTexts } from './texts/index.ts';

await start({
  base: '/profile',
  connection: { prefix: '/profile/v1', guardHeader: 'x-passerelle-profile' },
  loadTexts,
  load: () => import('./root.tsx'),
});
