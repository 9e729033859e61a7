import { createElement, type ReactNode } from 'react';

/** Text that the server composed, in English. The language is marked, so that a screen reader pronounces it. */
export const serverText = (text: ReactNode): ReactNode => createElement('span', { lang: 'en' }, text);
