/** Every address of the console. The first matching row is shown; its page is loaded when it is first opened. */
import type { ComponentType } from 'preact';
import type { Words } from './words/en.ts';

/** The item of the rail that is marked. */
export type Area = 'home' | 'data' | 'styles' | 'security' | 'operations' | 'help';

export interface PageProps {
  /** The values of `:name` in the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
}

export interface ConsoleRoute {
  readonly path: string;
  readonly area: Area;
  /** The title of the window. */
  readonly title: (words: Words, params: PageProps['params']) => string;
  readonly load: () => Promise<{ readonly Page: ComponentType<PageProps> }>;
}

const loadLayers = () => import('./pages/data/layers/page.tsx');

export const routes: readonly ConsoleRoute[] = [
  { path: '', area: 'home', title: (words) => words.home.title, load: () => import('./pages/home/page.tsx') },
  { path: 'layers', area: 'data', title: (words) => words.layers.title, load: loadLayers },
  { path: 'w/:workspace/layers', area: 'data', title: (words) => words.layers.title, load: loadLayers },
  {
    path: 'w/:workspace/layers/:layer',
    area: 'data',
    title: (_, { layer = '' }) => layer,
    load: () => import('./pages/data/layer/page.tsx'),
  },
  {
    path: 'operations/history',
    area: 'operations',
    title: (words) => words.operations.history,
    load: () => import('./pages/operations/history/page.tsx'),
  },
  {
    path: 'operations/history/:sequence',
    area: 'operations',
    title: (words, { sequence = '' }) => words.historyPages.title(sequence),
    load: () => import('./pages/operations/history/change-page.tsx'),
  },
  { path: 'help', area: 'help', title: (words) => words.help.title, load: () => import('./pages/other/help.tsx') },
  { path: 'signin', area: 'home', title: (words) => words.signIn.title, load: () => import('./pages/home/page.tsx') },
];
