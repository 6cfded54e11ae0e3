/** The pictures of the console: at least one for each route. */
import type { Page } from 'playwright-core';

export interface Picture {
  readonly name: string;
  /** The path of a row of `console/routes.ts`. */
  readonly route: string;
  /** Below the root of the console. */
  readonly address: string;
  /** Pages that are pictured in both themes, at both widths and in German; the others are light and wide. */
  readonly isMain?: boolean;
  readonly isSignedOut?: boolean;
  /** Taken before the server has content. */
  readonly isOnEmptyServer?: boolean;
  /** What is visible when the page is complete. */
  readonly ready: string;
  /** Brings the page into the state of the picture. */
  readonly prepare?: (page: Page) => Promise<void>;
}

export const sizes = { wide: { width: 1_280, height: 800 }, narrow: { width: 360, height: 720 } } as const;

export interface Variant {
  readonly theme: 'light' | 'dark';
  readonly size: keyof typeof sizes;
  readonly language: 'en' | 'de';
}

const firstVariant: Variant = { theme: 'light', size: 'wide', language: 'en' };

export const variants: readonly Variant[] = [
  firstVariant,
  { theme: 'light', size: 'wide', language: 'de' },
  { theme: 'dark', size: 'wide', language: 'en' },
  { theme: 'light', size: 'narrow', language: 'en' },
  { theme: 'dark', size: 'narrow', language: 'en' },
];

export function listVariants({ isMain }: Picture): readonly Variant[] {
  return isMain === true ? variants : [firstVariant];
}

export function getVariantName({ theme, size, language }: Variant): string {
  return `${theme}-${size}${language === 'en' ? '' : `-${language}`}`;
}

export function getFileName({ name }: Picture, variant: Variant): string {
  return `${name}-${getVariantName(variant)}.webp`;
}

const countries = 'w/world/layers/countries';
const trees = 'w/city/layers/trees';
const mapReady = '.map-canvas[data-state=drawn]';

/** Creates a workspace and changes another one. */
const configuration = {
  format: 'graticule-configuration/1',
  resources: ['archive', 'city'].map((name) => ({
    kind: 'workspace',
    path: `/workspaces/${name}`,
    fields: { isolated: true, metadata: {}, namespaceUri: `http://${name}` },
  })),
};

export const pictures: readonly Picture[] = [
  { name: 'sign-in', route: 'signin', address: '', isMain: true, isSignedOut: true, ready: '.sign-in-form' },
  { name: 'home-empty', route: '', address: '', isMain: true, isOnEmptyServer: true, ready: '.begin' },
  { name: 'home', route: '', address: '', isMain: true, ready: '.change-table' },
  { name: 'layers', route: 'layers', address: 'layers', isMain: true, ready: 'tr[data-index="4"] a' },
  { name: 'layers-workspace', route: 'w/:workspace/layers', address: 'w/city/layers', ready: 'tr[data-index="1"] a' },
  {
    name: 'layer-map',
    route: 'w/:workspace/layers/:layer',
    address: `${countries}?table=on`,
    isMain: true,
    ready: mapReady,
  },
  {
    name: 'layer-preview',
    route: 'w/:workspace/layers/:layer',
    address: `${countries}?as=anonymous`,
    ready: mapReady,
  },
  { name: 'layer-use', route: 'w/:workspace/layers/:layer', address: `${countries}?panel=use`, ready: mapReady },
  {
    name: 'layer-edit',
    route: 'w/:workspace/layers/:layer',
    address: `${trees}?panel=edit&table=on`,
    ready: mapReady,
    async prepare(page) {
      await page.focus('[data-id="trees.2"] button');
      await page.click("button:text-is('Edit trees.2')");
      await page.waitForSelector('.edit-form');
    },
  },
  { name: 'layer-style', route: 'w/:workspace/layers/:layer', address: `${countries}?tab=style`, ready: 'table' },
  {
    name: 'layer-data',
    route: 'w/:workspace/layers/:layer',
    address: `${countries}?tab=data`,
    ready: 'td',
  },
  {
    name: 'layer-access',
    route: 'w/:workspace/layers/:layer',
    address: `${trees}?tab=access`,
    isMain: true,
    ready: 'td',
  },
  { name: 'layer-publish', route: 'w/:workspace/layers/:layer', address: `${trees}?tab=publish`, ready: 'form' },
  { name: 'layer-history', route: 'w/:workspace/layers/:layer', address: `${trees}?tab=history`, ready: 'td' },
  { name: 'groups', route: 'groups', address: 'groups', ready: 'main h1' },
  { name: 'groups-workspace', route: 'w/:workspace/groups', address: 'w/city/groups', ready: '.groups-item' },
  { name: 'new-group', route: 'new/group', address: 'new/group', ready: 'form' },
  { name: 'new-group-workspace', route: 'w/:workspace/new/group', address: 'w/city/new/group', ready: 'form' },
  { name: 'group', route: 'w/:workspace/groups/:group', address: 'w/city/groups/base', ready: mapReady },
  { name: 'group-global', route: 'groups/:group', address: 'groups/overview', ready: mapReady },
  {
    name: 'granules',
    route: 'w/:workspace/stores/:store/granules',
    address: 'w/survey/stores/snow/granules',
    ready: 'td',
  },
  { name: 'stores', route: 'stores', address: 'stores', ready: 'main h1' },
  {
    name: 'stores-workspace',
    route: 'w/:workspace/stores',
    address: 'w/city/stores',
    ready: '.data-list-row',
  },
  {
    name: 'store',
    route: 'w/:workspace/stores/:store',
    address: 'w/city/stores/base_map',
    ready: '.badge-good',
  },
  {
    name: 'sql-view',
    route: 'w/:workspace/stores/:store/sql-view',
    address: 'w/city/stores/cadastre/sql-view',
    ready: 'form',
  },
  { name: 'workspaces', route: 'workspaces', address: 'workspaces', ready: '.data-list-row' },
  { name: 'workspace', route: 'workspaces/:workspace', address: 'workspaces/city', ready: 'form' },
  { name: 'publish', route: 'publish', address: 'publish', ready: '.drop-zone' },
  { name: 'new', route: 'new', address: 'new', ready: 'main h1' },
  { name: 'new-postgis', route: 'new/postgis', address: 'new/postgis', isMain: true, ready: 'form' },
  { name: 'new-kind', route: 'new/:kind', address: 'new/wms', ready: 'form' },
  { name: 'crs', route: 'crs/:code', address: 'crs/EPSG:2056', ready: 'main pre' },
  { name: 'styles', route: 'styles', address: 'styles', isMain: true, ready: '.swatch' },
  { name: 'styles-workspace', route: 'w/:workspace/styles', address: 'w/city/styles', ready: '.swatch' },
  {
    name: 'style',
    route: 'w/:workspace/styles/:style',
    address: 'w/world/styles/population',
    isMain: true,
    ready: mapReady,
  },
  {
    name: 'style-forms',
    route: 'w/:workspace/styles/:style',
    address: 'w/world/styles/population?view=visual',
    ready: mapReady,
  },
  {
    name: 'style-classes',
    route: 'w/:workspace/styles/:style',
    address: 'w/world/styles/population',
    ready: mapReady,
    async prepare(page) {
      const edit = page.locator('text=Edit anyway');
      if (await edit.isVisible()) await edit.click();
      await page.click('text=Classify…');
      await page.waitForSelector('.wizard-classes');
    },
  },
  { name: 'style-global', route: 'styles/:style', address: 'styles/polygon', ready: mapReady },
  { name: 'access', route: 'security/access', address: 'security/access', isMain: true, ready: 'td' },
  {
    name: 'access-data',
    route: 'security/access',
    address: 'security/access?tab=data',
    ready: '.mark, .badge, main article, main dl',
  },
  { name: 'access-services', route: 'security/access', address: 'security/access?tab=services', ready: 'td' },
  { name: 'access-rest', route: 'security/access', address: 'security/access?tab=rest', ready: 'td' },
  { name: 'access-view', route: 'security/access', address: 'security/access?tab=view', ready: '.view-as-layers' },
  { name: 'users', route: 'security/users', address: 'security/users', ready: 'td' },
  { name: 'user', route: 'security/users/:user', address: 'security/users/anna', ready: 'main h2' },
  { name: 'security-groups', route: 'security/groups', address: 'security/groups', ready: 'td' },
  { name: 'security-group', route: 'security/groups/:group', address: 'security/groups/planning', ready: 'main h2' },
  { name: 'roles', route: 'security/roles', address: 'security/roles', ready: 'td' },
  { name: 'tokens', route: 'security/tokens', address: 'security/tokens', ready: 'td' },
  { name: 'providers', route: 'security/sign-in', address: 'security/sign-in', ready: 'main h2' },
  { name: 'url-checks', route: 'security/url-checks', address: 'security/url-checks', ready: 'td' },
  { name: 'keystore', route: 'security/keystore', address: 'security/keystore', ready: 'main h2' },
  { name: 'status', route: 'operations/status', address: 'operations/status', isMain: true, ready: '.status-card' },
  { name: 'history', route: 'operations/history', address: 'operations/history', isMain: true, ready: '.history-row' },
  {
    name: 'change',
    route: 'operations/history/:sequence',
    address: 'operations/history/LAST',
    ready: '.diff-fields, .diff-text',
  },
  {
    name: 'configuration',
    route: 'operations/configuration',
    address: 'operations/configuration',
    isMain: true,
    ready: 'main h1',
    async prepare(page) {
      await page.setInputFiles('main input[type=file]', {
        name: 'city.json',
        mimeType: 'application/json',
        buffer: Buffer.from(JSON.stringify(configuration)),
      });
      await page.waitForSelector('.plan-group');
    },
  },
  { name: 'webhooks', route: 'operations/webhooks', address: 'operations/webhooks', ready: 'main h2' },
  { name: 'tiles', route: 'operations/tiles', address: 'operations/tiles?layer=city:trees', ready: 'form' },
  { name: 'backups', route: 'operations/backups', address: 'operations/backups', ready: 'form' },
  { name: 'move-in', route: 'operations/move-in', address: 'operations/move-in', ready: 'main h1' },
  { name: 'account', route: 'me', address: 'me', ready: 'main h2' },
  { name: 'help', route: 'help', address: 'help', ready: 'main h1' },
  {
    name: 'search',
    route: '',
    address: 'help',
    isMain: true,
    ready: 'main h1',
    async prepare(page) {
      await page.keyboard.press('/');
      await page.fill('dialog input', 'ci');
      await page.waitForSelector('dialog [role=option] >> nth=2');
    },
  },
];
