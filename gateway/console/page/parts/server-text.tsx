import type { ReactNode } from 'react';
import { serverText } from '../lib/server-text.ts';

/** Text that the server composed, in English. */
export const ServerText = ({ children }: { children: ReactNode }) => serverText(children);
