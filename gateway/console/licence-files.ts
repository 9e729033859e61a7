import { join } from 'node:path';

const page = join(import.meta.dirname, 'page');

/** The pages' font, which `npm run font` writes. */
export const fontFolder = join(page, 'font');
export const fontLicence = join(fontFolder, 'LICENSE.md');

/** The licence of the icons, which `npm run icons` writes. */
export const iconsLicence = join(page, 'parts/icons/LICENSE.md');
