/** Loads pages: the first script contains those that users open first, and each area is a script that is loaded on demand. */
import type { ComponentType } from 'preact';
import { Page as Layers } from './pages/data/layers/page.tsx';
import { Page as Home } from './pages/home/page.tsx';
import { Page as Crs } from './pages/other/crs.tsx';
import { Page as Help } from './pages/other/help.tsx';
import type { PageProps } from './routes.ts';

const first = { Crs, Help, Home, Layers };

const areas = {
  first: async () => first,
  data: () => import('./pages/data.ts'),
  layer: async () => ({ Layer: (await import('./pages/data/layer/page.tsx')).Page }),
  styles: () => import('./pages/styles.ts'),
  security: () => import('./pages/security.ts'),
  operations: () => import('./pages/operations.ts'),
};

type Areas = typeof areas;

/** Such as `data/Store`. */
export type PageName = { [A in keyof Areas]: `${A}/${keyof Awaited<ReturnType<Areas[A]>> & string}` }[keyof Areas];

export async function loadPage(name: PageName): Promise<ComponentType<PageProps>> {
  const [area, page = ''] = name.split('/');
  const pages: Readonly<Record<string, ComponentType<PageProps>>> = await areas[area as keyof Areas]();
  const found = pages[page];
  if (found === undefined) throw new Error(`There is no page ${name}`);
  return found;
}
