/** Every address of the console. The first matching row is shown. */
import type { PageName } from './pages.ts';
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
  readonly page: PageName;
}

export const routes: readonly ConsoleRoute[] = [
  {
    path: '',
    area: 'home',
    isForReaders: true,
    title: (words) => words.home.title,
    page: 'first/Home',
  },
  ...['layers', 'w/:workspace/layers'].map(
    (path): ConsoleRoute => ({
      path,
      area: 'data',
      isForReaders: true,
      title: (words) => words.layers.title,
      page: 'first/Layers',
    }),
  ),
  {
    path: 'w/:workspace/layers/:layer',
    area: 'data',
    isForReaders: true,
    title: (_, { layer = '' }) => layer,
    page: 'layer/Layer',
  },
  { path: 'groups', area: 'data', title: (words) => words.layerGroups.title, page: 'data/Groups' },
  { path: 'w/:workspace/groups', area: 'data', title: (words) => words.layerGroups.title, page: 'data/Groups' },
  { path: 'new/group', area: 'data', title: (words) => words.layerGroups.createTitle, page: 'data/Group' },
  { path: 'w/:workspace/new/group', area: 'data', title: (words) => words.layerGroups.createTitle, page: 'data/Group' },
  { path: 'groups/:group', area: 'data', title: (_, { group = '' }) => group, page: 'data/Group' },
  { path: 'w/:workspace/groups/:group', area: 'data', title: (_, { group = '' }) => group, page: 'data/Group' },
  {
    path: 'operations/status',
    area: 'operations',
    isForAdministrators: true,
    title: (words) => words.operations.status,
    page: 'operations/Status',
  },
  {
    path: 'w/:workspace/stores/:store/granules',
    area: 'data',
    title: (words, { store = '' }) => words.granules.title(store),
    page: 'data/Granules',
  },
  {
    path: 'operations/history',
    area: 'operations',
    isForAdministrators: true,
    title: (words) => words.operations.history,
    page: 'operations/History',
  },
  {
    path: 'operations/history/:sequence',
    area: 'operations',
    isForAdministrators: true,
    title: (words, { sequence = '' }) => words.historyPages.title(sequence),
    page: 'operations/Change',
  },
  ...(
    [
      ['access', 'security/Access'],
      ['users', 'security/Users'],
      ['groups', 'security/Groups'],
      ['roles', 'security/Roles'],
      ['tokens', 'security/Tokens'],
      ['sign-in', 'security/SignIn'],
      ['url-checks', 'security/UrlChecks'],
      ['keystore', 'security/Keystore'],
    ] as const
  ).map(
    ([name, page]): ConsoleRoute => ({
      path: `security/${name}`,
      area: 'security',
      isForAdministrators: true,
      title: (words) => words.security.pages[name],
      page,
    }),
  ),
  {
    path: 'security/users/:user',
    area: 'security',
    isForAdministrators: true,
    title: (_, { user = '' }) => user,
    page: 'security/User',
  },
  {
    path: 'security/groups/:group',
    area: 'security',
    isForAdministrators: true,
    title: (_, { group = '' }) => group,
    page: 'security/Group',
  },
  {
    path: 'me',
    area: 'home',
    isForReaders: true,
    title: (words) => words.security.page,
    page: 'security/Me',
  },
  {
    path: 'publish',
    area: 'data',
    title: (words) => words.publish.title,
    page: 'data/Publish',
  },
  {
    path: 'new',
    area: 'data',
    title: (words) => words.publish.newTitle,
    page: 'data/NewStore',
  },
  {
    path: 'new/postgis',
    area: 'data',
    title: (words) => words.publish.createPostgis,
    page: 'data/NewPostgis',
  },
  {
    path: 'new/:kind',
    area: 'data',
    title: (words) => words.publish.newTitle,
    page: 'data/NewStore',
  },
  { path: 'stores', area: 'data', title: (words) => words.publish.storesTitle, page: 'data/Stores' },
  { path: 'w/:workspace/stores', area: 'data', title: (words) => words.publish.storesTitle, page: 'data/Stores' },
  {
    path: 'w/:workspace/stores/:store',
    area: 'data',
    title: (_, { store = '' }) => store,
    page: 'data/Store',
  },
  {
    path: 'w/:workspace/stores/:store/sql-view',
    area: 'data',
    title: (words) => words.publish.sqlTitle,
    page: 'data/SqlView',
  },
  {
    path: 'workspaces',
    area: 'data',
    title: (words) => words.publish.workspacesTitle,
    page: 'data/Workspaces',
  },
  {
    path: 'workspaces/:workspace',
    area: 'data',
    title: (_, { workspace = '' }) => workspace,
    page: 'data/Workspace',
  },
  {
    path: 'operations/configuration',
    area: 'operations',
    isForAdministrators: true,
    title: (words) => words.operations.configuration,
    page: 'operations/Configuration',
  },
  {
    path: 'operations/webhooks',
    area: 'operations',
    isForAdministrators: true,
    title: (words) => words.operations.webhooks,
    page: 'operations/Webhooks',
  },
  {
    path: 'operations/tiles',
    area: 'operations',
    isForAdministrators: true,
    title: (words) => words.operations.tiles,
    page: 'operations/Tiles',
  },
  {
    path: 'operations/backups',
    area: 'operations',
    isForAdministrators: true,
    title: (words) => words.operations.backups,
    page: 'operations/Backups',
  },
  {
    path: 'operations/move-in',
    area: 'operations',
    isForAdministrators: true,
    title: (words) => words.operations.moveIn,
    page: 'operations/MoveIn',
  },
  {
    path: 'crs/:code',
    area: 'data',
    title: (_, { code = '' }) => code,
    page: 'first/Crs',
  },
  { path: 'styles', area: 'styles', title: (words) => words.styles.title, page: 'styles/Styles' },
  { path: 'w/:workspace/styles', area: 'styles', title: (words) => words.styles.title, page: 'styles/Styles' },
  { path: 'styles/:style', area: 'styles', title: (_, { style = '' }) => style, page: 'styles/Style' },
  { path: 'w/:workspace/styles/:style', area: 'styles', title: (_, { style = '' }) => style, page: 'styles/Style' },
  {
    path: 'help',
    area: 'help',
    isForReaders: true,
    title: (words) => words.help.title,
    page: 'first/Help',
  },
  {
    path: 'signin',
    area: 'home',
    isForReaders: true,
    title: (words) => words.signIn.title,
    page: 'first/Home',
  },
];
