import { type ComponentType, useEffect, useState } from 'react';
import type { PageProps } from '../lib/page-props.ts';
import type { Icon } from './icons/icon.tsx';

export interface Page {
  path: string;
  title: string;
  /** Only pages with an icon are in the menu. */
  icon?: Icon;
  load(): Promise<{ default: ComponentType<PageProps> }>;
}

const loaded = new Map<Page['load'], ComponentType<PageProps>>();

async function load(page: Page): Promise<ComponentType<PageProps>> {
  const { default: component } = await page.load();
  loaded.set(page.load, component);
  return component;
}

/** Starts to load the code of the page at `path`. Ignores errors: when the page is opened, it is loaded again and shows them. */
export function preload(pages: readonly Page[], path: string): void {
  const [, first = '', ...rest] = path.split('/');
  const found = pages.find((page) => page.path.split('/')[1] === first && page.path.split('/').length - 2 === rest.length);
  if (found) load(found).catch(() => {});
}

/** Returns a page's component, or null until it is loaded. React's `lazy` would delay each new page by 300 ms. */
export function useLoaded(page: Page): { component: ComponentType<PageProps> | null; error: Error | null } {
  const [state, setState] = useState({ component: loaded.get(page.load) ?? null, error: null as Error | null });
  const { component } = state;
  useEffect(() => {
    if (component) return;
    load(page).then(
      (loadedComponent) => setState({ component: loadedComponent, error: null }),
      (error: Error) => setState({ component: null, error }),
    );
  }, [page, component]);
  return state;
}
