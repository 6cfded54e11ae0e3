/** Documents of a data directory as another server writes them, with ids that only this test support gives out. */

/** A document or a file of a data directory. */
export type DirectoryFiles = Readonly<Record<string, string | Buffer>>;

type Value = string | number | boolean | undefined | readonly Element[];

/** An element: its name, its content, and its attributes. */
export type Element = readonly [name: string, content: Value, attributes?: Readonly<Record<string, string>>];

export function writeXml(root: Element, indent = ''): string {
  const [name, content, attributes = {}] = root;
  const opening = `${indent}<${name}${Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${escapeXml(value)}"`)
    .join('')}`;
  if (content === undefined || content === '') return `${opening}/>\n`;
  if (typeof content !== 'object') return `${opening}>${escapeXml(String(content))}</${name}>\n`;
  return `${opening}>\n${content.map((child) => writeXml(child, `${indent}  `)).join('')}${indent}</${name}>\n`;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** Ids contain characters that no path needs. */
export const workspaceId = (name: string) => `WorkspaceInfoImpl-1f:${name}`;
export const namespaceId = (name: string) => `NamespaceInfoImpl-1f:${name}`;
export const storeId = (workspace: string, name: string) => `StoreInfoImpl-2e:${workspace}.${name}`;
export const resourceId = (workspace: string, name: string) => `ResourceInfoImpl-3d:${workspace}.${name}`;
export const layerId = (workspace: string, name: string) => `LayerInfoImpl-4c:${workspace}.${name}`;
export const styleId = (name: string, workspace = '') => `StyleInfoImpl-5b:${workspace}.${name}`;
export const groupId = (name: string, workspace = '') => `LayerGroupInfoImpl-6a:${workspace}.${name}`;

const reference = (name: string, id: string): Element => [name, [['id', id]]];

export function entries(name: string, values: Readonly<Record<string, Value>>): Element {
  return [name, Object.entries(values).map(([key, value]): Element => ['entry', value, { key }])];
}

export function workspaceFiles(
  name: string,
  options: { readonly folder?: string; readonly isolated?: boolean; readonly uri?: string } = {},
): DirectoryFiles {
  const { folder = name, isolated = false, uri = `http://${name}.example/features` } = options;
  return {
    [`workspaces/${folder}/workspace.xml`]: writeXml([
      'workspace',
      [
        ['id', workspaceId(name)],
        ['name', name],
        ['isolated', isolated],
        ['dateCreated', '2024-03-01 10:00:00.0 UTC'],
      ],
    ]),
    [`workspaces/${folder}/namespace.xml`]: writeXml([
      'namespace',
      [
        ['id', namespaceId(name)],
        ['prefix', name],
        ['uri', uri],
        ['isolated', isolated],
      ],
    ]),
  };
}

export interface StoreOptions {
  readonly workspace: string;
  readonly name: string;
  readonly type?: string;
  readonly enabled?: boolean;
  readonly parameters: Readonly<Record<string, string>>;
  /** The id of its workspace in the document. */
  readonly workspaceId?: string;
}

export function dataStoreXml({ workspace, name, type, enabled = true, parameters, ...options }: StoreOptions): string {
  return writeXml([
    'dataStore',
    [
      ['id', storeId(workspace, name)],
      ['name', name],
      ...(type === undefined ? [] : [['type', type] as const]),
      ['enabled', enabled],
      reference('workspace', options.workspaceId ?? workspaceId(workspace)),
      entries('connectionParameters', parameters),
      ['__default', false],
      ['dateCreated', '2024-03-01 10:00:00.0 UTC'],
    ],
  ]);
}

export function coverageStoreXml(workspace: string, name: string, type: string, url: string): string {
  return writeXml([
    'coverageStore',
    [
      ['id', storeId(workspace, name)],
      ['name', name],
      ['type', type],
      ['enabled', true],
      reference('workspace', workspaceId(workspace)),
      ['__default', false],
      ['url', url],
    ],
  ]);
}

/** A store of another server's maps: `wmsStore` or `wmtsStore`. */
export function cascadedStoreXml(root: 'wmsStore' | 'wmtsStore', workspace: string, name: string, url: string): string {
  return writeXml([
    root,
    [
      ['id', storeId(workspace, name)],
      ['name', name],
      ['type', root === 'wmsStore' ? 'WMS' : 'WMTS'],
      ['enabled', true],
      reference('workspace', workspaceId(workspace)),
      entries('metadata', { useConnectionPooling: 'true' }),
      ['capabilitiesURL', url],
      ['user', 'reader'],
      ['password', 'plain:cascaded secret'],
      ['maxConnections', 6],
      ['readTimeout', 60],
      ['connectTimeout', 30],
    ],
  ]);
}

export interface ResourceOptions {
  readonly root?: 'featureType' | 'coverage' | 'wmsLayer' | 'wmtsLayer';
  readonly workspace: string;
  readonly store: string;
  readonly name: string;
  readonly nativeName?: string;
  readonly srs?: string;
  readonly nativeCRS?: string;
  readonly namespaceId?: string;
  readonly storeId?: string;
  readonly further?: readonly Element[];
}

const GEOGRAPHIC = `GEOGCS["WGS 84", DATUM["World Geodetic System 1984", SPHEROID["WGS 84", 6378137.0, 298.257223563]],
  PRIMEM["Greenwich", 0.0], UNIT["degree", 0.017453292519943295], AUTHORITY["EPSG","4326"]]`;

export function boxElements(box: readonly [number, number, number, number], crs: string): readonly Element[] {
  const [minx, miny, maxx, maxy] = box;
  return [
    ['minx', minx],
    ['maxx', maxx],
    ['miny', miny],
    ['maxy', maxy],
    ['crs', crs],
  ];
}

export function resourceXml({ root = 'featureType', workspace, store, name, ...options }: ResourceOptions): string {
  const { srs = 'EPSG:4326' } = options;
  return writeXml([
    root,
    [
      ['id', resourceId(workspace, name)],
      ['name', name],
      ['nativeName', options.nativeName ?? name],
      reference('namespace', options.namespaceId ?? namespaceId(workspace)),
      ['title', `Title of ${name}`],
      ['description', 'Written for a test'],
      ['abstract', 'One line\nand another'],
      [
        'keywords',
        [
          ['string', 'features'],
          ['string', name],
        ],
      ],
      ['nativeCRS', options.nativeCRS ?? GEOGRAPHIC],
      ['srs', srs],
      ['nativeBoundingBox', boxElements([0, 0, 2, 1], srs)],
      ['latLonBoundingBox', boxElements([0, 0, 2, 1], 'EPSG:4326')],
      ['projectionPolicy', 'FORCE_DECLARED'],
      ['enabled', true],
      ...(options.further ?? []),
      [
        'store',
        [['id', options.storeId ?? storeId(workspace, store)]],
        { class: root === 'featureType' ? 'dataStore' : 'coverageStore' },
      ],
      ['serviceConfiguration', false],
      ['anElementOfALaterVersion', [['nested', true]]],
    ],
  ]);
}

export interface LayerOptions {
  readonly workspace: string;
  readonly name: string;
  readonly type?: 'VECTOR' | 'RASTER' | 'WMS' | 'WMTS';
  /** The id or name of the default style. */
  readonly style?: readonly ['id' | 'name', string];
  readonly styles?: readonly string[];
  readonly further?: readonly Element[];
}

export function layerXml({ workspace, name, type = 'VECTOR', style, styles = [], further = [] }: LayerOptions): string {
  return writeXml([
    'layer',
    [
      ['name', name],
      ['id', layerId(workspace, name)],
      ['type', type],
      ...(style === undefined ? [] : [['defaultStyle', [[style[0], style[1]]]] as const]),
      ...(styles.length === 0
        ? []
        : [['styles', styles.map((id) => reference('style', id)), { class: 'linked-hash-set' }] as const]),
      ['resource', [['id', resourceId(workspace, name)]], { class: 'featureType' }],
      [
        'attribution',
        [
          ['logoWidth', 0],
          ['logoHeight', 0],
        ],
      ],
      ...further,
    ],
  ]);
}

export interface StyleOptions {
  readonly name: string;
  readonly workspace?: string;
  readonly format?: string;
  readonly filename?: string;
}

export function styleXml({ name, workspace, format = 'sld', filename }: StyleOptions): string {
  return writeXml([
    'style',
    [
      ['id', styleId(name, workspace)],
      ['name', name],
      ...(workspace === undefined ? [] : [reference('workspace', workspaceId(workspace))]),
      ['format', format],
      ['languageVersion', [['version', '1.0.0']]],
      ['filename', filename ?? `${name}.${format}`],
    ],
  ]);
}

/** A member: the id of a layer or a group, or null for an entry without one. */
export interface GroupMember {
  readonly type?: 'layer' | 'layerGroup';
  readonly id: string | null;
  /** The id of a style; without one, the default style. */
  readonly style?: string;
}

export interface GroupOptions {
  readonly name: string;
  readonly workspace?: string;
  readonly mode?: string;
  readonly members: readonly GroupMember[];
  readonly further?: readonly Element[];
}

export function groupXml({ name, workspace, mode = 'SINGLE', members, further = [] }: GroupOptions): string {
  return writeXml([
    'layerGroup',
    [
      ['id', groupId(name, workspace)],
      ['name', name],
      ['mode', mode],
      ['title', `Title of ${name}`],
      ...(workspace === undefined ? [] : [reference('workspace', workspaceId(workspace))]),
      [
        'publishables',
        members.map(({ type = 'layer', id }): Element => ['published', id === null ? '' : [['id', id]], { type }]),
      ],
      ['styles', members.map(({ style }): Element => ['style', style === undefined ? '' : [['id', style]]])],
      ['bounds', boxElements([0, 0, 2, 1], 'EPSG:4326')],
      ...further,
    ],
  ]);
}
