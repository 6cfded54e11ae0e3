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
  /** Not for administrators of workspaces. */
  readonly isForAdministrators?: boolean;
  /** Also for users who administer nothing. */
  readonly isForReaders?: true;
  /** The title of the window. */
  readonly title: (words: Words, params: PageProps['params']) => string;
  readonly load: () => Promise<{ readonly Page: ComponentType<PageProps> }>;
}

const loadStores = () => import('./pages/data/stores/page.tsx');
const loadGroup = () => import('./pages/data/group/page.tsx');
const loadGroups = () => import('./pages/data/groups/page.tsx');
const loadStyles = () => import('./pages/styles/styles/page.tsx');
const loadStyle = () => import('./pages/styles/style/page.tsx');

export const routes: readonly ConsoleRoute[] = [
  {
    path: '',
    area: 'home',
    isForReaders: true,
    title: (words) => words.home.title,
    load: () => import('./pages/home/page.tsx'),
  },
  ...['layers', 'w/:workspace/layers'].map(
    (path): ConsoleRoute => ({
      path,
      area: 'data',
      isForReaders: true,
      title: (words) => words.layers.title,
      load: () => import('./pages/data/layers/page.tsx'),
    }),
  ),
  {
    path: 'w/:workspace/layers/:layer',
    area: 'data',
    isForReaders: true,
    title: (_, { layer = '' }) => layer,
    load: () => import('./pages/data/layer/page.tsx'),
  },
  { path: 'groups', area: 'data', title: (words) => words.layerGroups.title, load: loadGroups },
  { path: 'w/:workspace/groups', area: 'data', title: (words) => words.layerGroups.title, load: loadGroups },
  { path: 'new/group', area: 'data', title: (words) => words.layerGroups.createTitle, load: loadGroup },
  { path: 'w/:workspace/new/group', area: 'data', title: (words) => words.layerGroups.createTitle, load: loadGroup },
  { path: 'groups/:group', area: 'data', title: (_, { group = '' }) => group, load: loadGroup },
  { path: 'w/:workspace/groups/:group', area: 'data', title: (_, { group = '' }) => group, load: loadGroup },
  {
    path: 'operations/status',
    area: 'operations',
    isForAdministrators: true,
    title: (words) => words.operations.status,
    load: () => import('./pages/operations/status/page.tsx'),
  },
  {
    path: 'w/:workspace/stores/:store/granules',
    area: 'data',
    title: (words, { store = '' }) => words.granules.title(store),
    load: () => import('./pages/data/granules/page.tsx'),
  },
  {
    path: 'operations/history',
    area: 'operations',
    isForAdministrators: true,
    title: (words) => words.operations.history,
    load: () => import('./pages/operations/history/page.tsx'),
  },
  {
    path: 'operations/history/:sequence',
    area: 'operations',
    isForAdministrators: true,
    title: (words, { sequence = '' }) => words.historyPages.title(sequence),
    load: () => import('./pages/operations/history/change-page.tsx'),
  },
  ...(
    [
      ['access', () => import('./pages/security/access/page.tsx')],
      ['users', () => import('./pages/security/users/page.tsx')],
      ['groups', () => import('./pages/security/groups/page.tsx')],
      ['roles', () => import('./pages/security/roles/page.tsx')],
      ['tokens', () => import('./pages/security/tokens/page.tsx')],
      ['sign-in', () => import('./pages/security/sign-in/page.tsx')],
      ['url-checks', () => import('./pages/security/url-checks/page.tsx')],
      ['keystore', () => import('./pages/security/keystore/page.tsx')],
    ] as const
  ).map(
    ([name, load]): ConsoleRoute => ({
      path: `security/${name}`,
      area: 'security',
      isForAdministrators: true,
      title: (words) => words.security.pages[name],
      load,
    }),
  ),
  {
    path: 'security/users/:user',
    area: 'security',
    isForAdministrators: true,
    title: (_, { user = '' }) => user,
    load: () => import('./pages/security/users/user-page.tsx'),
  },
  {
    path: 'security/groups/:group',
    area: 'security',
    isForAdministrators: true,
    title: (_, { group = '' }) => group,
    load: () => import('./pages/security/groups/group-page.tsx'),
  },
  {
    path: 'me',
    area: 'home',
    isForReaders: true,
    title: (words) => words.security.page,
    load: () => import('./pages/me/page.tsx'),
  },
  {
    path: 'publish',
    area: 'data',
    title: (words) => words.publish.title,
    load: () => import('./pages/data/publish/page.tsx'),
  },
  {
    path: 'new',
    area: 'data',
    title: (words) => words.publish.newTitle,
    load: () => import('./pages/data/new-store/page.tsx'),
  },
  {
    path: 'new/postgis',
    area: 'data',
    title: (words) => words.publish.createPostgis,
    load: () => import('./pages/data/new-postgis/page.tsx'),
  },
  {
    path: 'new/:kind',
    area: 'data',
    title: (words) => words.publish.newTitle,
    load: () => import('./pages/data/new-store/page.tsx'),
  },
  { path: 'stores', area: 'data', title: (words) => words.publish.storesTitle, load: loadStores },
  { path: 'w/:workspace/stores', area: 'data', title: (words) => words.publish.storesTitle, load: loadStores },
  {
    path: 'w/:workspace/stores/:store',
    area: 'data',
    title: (_, { store = '' }) => store,
    load: () => import('./pages/data/store/page.tsx'),
  },
  {
    path: 'w/:workspace/stores/:store/sql-view',
    area: 'data',
    title: (words) => words.publish.sqlTitle,
    load: () => import('./pages/data/sql-view/page.tsx'),
  },
  {
    path: 'workspaces',
    area: 'data',
    title: (words) => words.publish.workspacesTitle,
    load: () => import('./pages/data/workspaces/page.tsx'),
  },
  {
    path: 'workspaces/:workspace',
    area: 'data',
    title: (_, { workspace = '' }) => workspace,
    load: () => import('./pages/data/workspace/page.tsx'),
  },
  {
    path: 'operations/configuration',
    area: 'operations',
    isForAdministrators: true,
    title: (words) => words.operations.configuration,
    load: () => import('./pages/operations/configuration/page.tsx'),
  },
  {
    path: 'operations/webhooks',
    area: 'operations',
    isForAdministrators: true,
    title: (words) => words.operations.webhooks,
    load: () => import('./pages/operations/webhooks/page.tsx'),
  },
  {
    path: 'operations/tiles',
    area: 'operations',
    isForAdministrators: true,
    title: (words) => words.operations.tiles,
    load: () => import('./pages/operations/tiles/page.tsx'),
  },
  {
    path: 'operations/backups',
    area: 'operations',
    isForAdministrators: true,
    title: (words) => words.operations.backups,
    load: () => import('./pages/operations/backups/page.tsx'),
  },
  {
    path: 'operations/move-in',
    area: 'operations',
    isForAdministrators: true,
    title: (words) => words.operations.moveIn,
    load: () => import('./pages/operations/move-in/page.tsx'),
  },
  {
    path: 'crs/:code',
    area: 'data',
    title: (_, { code = '' }) => code,
    load: () => import('./pages/other/crs.tsx'),
  },
  { path: 'styles', area: 'styles', title: (words) => words.styles.title, load: loadStyles },
  { path: 'w/:workspace/styles', area: 'styles', title: (words) => words.styles.title, load: loadStyles },
  { path: 'styles/:style', area: 'styles', title: (_, { style = '' }) => style, load: loadStyle },
  { path: 'w/:workspace/styles/:style', area: 'styles', title: (_, { style = '' }) => style, load: loadStyle },
  {
    path: 'help',
    area: 'help',
    isForReaders: true,
    title: (words) => words.help.title,
    load: () => import('./pages/other/help.tsx'),
  },
  {
    path: 'signin',
    area: 'home',
    isForReaders: true,
    title: (words) => words.signIn.title,
    load: () => import('./pages/home/page.tsx'),
  },
];
