/** The documents for tile settings of layers and groups, with the names of GeoWebCache. */
import type { TileLayerView } from '../../catalog/tile-layers/tile-layers.ts';
import { defineDocument } from '../../http/documents/document.ts';
import type { FieldReader, WritableField } from '../../http/documents/field.ts';
import { createFieldBuilders } from '../../http/documents/fields.ts';
import { createListWriter } from '../../http/documents/listing.ts';
import type { InputNode } from '../../http/serialization/input-tree.ts';
import type { OutputMember, OutputNode } from '../../http/serialization/output-tree.ts';
import { MAX_GUTTER_PIXELS, MAX_META_TILES } from '../../tiles/settings/setting-faults.ts';
import type { ExpirationRule, GridSubset, MetaTiles } from '../../tiles/settings/tile-settings.ts';
import {
  isNil,
  listItems,
  readBox,
  readNumbers,
  readTexts,
  toNumber,
  toSequence,
  toValueMember,
  writeBox,
} from '../common/list-nodes.ts';
import { filtersField } from './parameter-filters.ts';

const { text, flag, integer, serverText } = createFieldBuilders<TileLayerView>();

const levelNames = ['zoomStart', 'zoomStop', 'minCachedLevel', 'maxCachedLevel'] as const;

const SECONDS = 'Seconds; 0 for the default, -1 for no caching, -2 for no expiry, -4 for that of the data.';

export const tileLayerDocument = defineDocument(
  'GeoServerLayer',
  {
    id: serverText(({ id }) => id, { description: 'Id of the layer or group.' }),
    enabled: flag(({ settings }) => settings.enabled, { description: 'Whether tiles are offered. Default: true.' }),
    inMemoryCached: flag(({ settings }) => settings.inMemoryCached, {
      description: 'Accepted without an effect: frequently used tiles are always in memory.',
    }),
    name: text(({ name }) => name, {
      description: 'The layer or group. The path names it, so that it can be omitted.',
      example: 'acme:roads',
    }),
    mimeFormats: textsField(({ settings }) => settings.mimeFormats, 'Offered media types. Default: all.'),
    gridSubsets: subsetsField(),
    metaWidthHeight: metaField(),
    expireCache: integer(({ settings }) => settings.expireCache, { description: `Lifetime in the cache. ${SECONDS}` }),
    expireCacheList: rulesField(
      ({ settings }) => settings.expireCacheList,
      'Lifetimes in the cache from some levels on.',
    ),
    expireClients: integer(({ settings }) => settings.expireClients, {
      description: `Lifetime for clients. ${SECONDS}`,
    }),
    expireClientsList: rulesField(
      ({ settings }) => settings.expireClientsList,
      'Lifetimes for clients from some levels on.',
    ),
    parameterFilters: filtersField(),
    gutter: integer(({ settings }) => settings.gutter, {
      description: `Pixels around blocks of tiles that are drawn and cut off, at most ${MAX_GUTTER_PIXELS}. Default: 0.`,
    }),
    autoCacheStyles: {
      ...flag(() => undefined, { description: 'Adds a filter that allows all styles of the layer.' }),
      write: () => undefined,
    },
  },
  { title: ({ name }) => `Tile settings of ${name}` },
);

export const tileLayerListing = createListWriter<{ readonly name: string; readonly workspace: string | null }>(
  'tileLayers',
  {
    itemName: 'tileLayer',
    title: 'Own tile settings',
    name: ({ name }) => name,
    path: ({ name, workspace }) =>
      workspace === null || name.includes(':') ? ['tilelayers', name] : ['workspaces', workspace, 'tilelayers', name],
  },
);

function textsField(
  value: (view: TileLayerView) => readonly string[] | undefined,
  description: string,
): WritableField<TileLayerView, readonly string[]> {
  return {
    read: readTexts,
    write: (view) => {
      const values = value(view);
      return values && toSequence('string', values);
    },
    required: false,
    schema: { type: 'array', items: { type: 'string' }, description },
  };
}

function metaField(): WritableField<TileLayerView, MetaTiles> {
  return {
    read: (nodes, reader) => {
      const numbers = readNumbers(nodes, reader, 'int');
      if (numbers === undefined || numbers === null) return numbers;
      const [columns, rows, ...more] = numbers;
      if (columns !== undefined && rows !== undefined && more.length === 0) return [columns, rows];
      reader.reportError('expected two integers: columns and rows of tiles');
      return undefined;
    },
    write: ({ settings: { metaWidthHeight } }) => metaWidthHeight && toSequence('int', metaWidthHeight),
    required: false,
    schema: {
      type: 'array',
      items: { type: 'integer' },
      description: `Columns and rows of tiles that are drawn together, each from 1 to ${MAX_META_TILES}. Default: 4 and 4.`,
    },
  };
}

function subsetsField(): WritableField<TileLayerView, readonly GridSubset[]> {
  return {
    read: (nodes, reader) => {
      if (isNil(nodes)) return null;
      return listItems(nodes, 'gridSubset').flatMap((node) => readSubset(node, reader) ?? []);
    },
    write: ({ settings: { gridSubsets } }) =>
      gridSubsets && {
        kind: 'sequence',
        members: gridSubsets.map((subset) => ({ name: 'gridSubset', node: writeSubset(subset) })),
      },
    required: false,
    schema: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          gridSetName: { type: 'string' },
          extent: { type: 'object', properties: { coords: { type: 'array', items: { type: 'number' } } } },
          ...Object.fromEntries(levelNames.map((name) => [name, { type: 'integer' }])),
        },
        additionalProperties: true,
      },
      description: 'Offered grid sets with their levels and extents. Default: those of the settings of WMTS.',
    },
  };
}

function readSubset(node: InputNode, reader: FieldReader): GridSubset | undefined {
  const gridSetName = node.members.get('gridSetName')?.[0]?.text.trim() ?? '';
  if (gridSetName === '') {
    reader.reportError('expected a gridSetName in each gridSubset');
    return undefined;
  }
  const box = node.members.get('extent');
  const extent = box === undefined ? undefined : readBox(box, reader);
  const levels = levelNames.flatMap((name) => {
    const [only] = node.members.get(name) ?? [];
    return only === undefined || only.kind === 'nil' ? [] : [[name, toNumber(only)] as const];
  });
  return { gridSetName, ...(extent == null ? {} : { extent }), ...Object.fromEntries(levels) };
}

function writeSubset(subset: GridSubset): OutputNode {
  const members: OutputMember[] = [toValueMember('gridSetName', subset.gridSetName)];
  if (subset.extent !== undefined) members.push({ name: 'extent', node: writeBox(subset.extent) });
  for (const name of levelNames) {
    const level = subset[name];
    if (level !== undefined) members.push(toValueMember(name, level));
  }
  return { kind: 'object', members };
}

/** `<expirationRule minZoom="0" expiration="60"/>` */
function rulesField(
  value: (view: TileLayerView) => readonly ExpirationRule[] | undefined,
  description: string,
): WritableField<TileLayerView, readonly ExpirationRule[]> {
  return {
    read: (nodes, { reportError }) => {
      if (isNil(nodes)) return null;
      const rules = listItems(nodes, 'expirationRule').map((node) => ({
        minZoom: readAttribute(node, 'minZoom'),
        expiration: readAttribute(node, 'expiration'),
      }));
      if (rules.every(({ minZoom, expiration }) => Number.isFinite(minZoom + expiration))) return rules;
      reportError('expected expirationRule elements with the attributes minZoom and expiration');
      return undefined;
    },
    write: (view) => {
      const rules = value(view);
      return (
        rules && { kind: 'sequence', members: rules.map((rule) => ({ name: 'expirationRule', node: writeRule(rule) })) }
      );
    },
    required: false,
    schema: {
      type: 'array',
      items: {
        type: 'object',
        properties: { '@minZoom': { type: 'string' }, '@expiration': { type: 'string' } },
        additionalProperties: true,
      },
      description,
    },
  };
}

function readAttribute({ attributes, members }: InputNode, name: string): number {
  const text = attributes.get(name) ?? members.get(name)?.[0]?.text ?? '';
  return text.trim() === '' ? Number.NaN : Number(text);
}

function writeRule({ minZoom, expiration }: ExpirationRule): OutputNode {
  return { kind: 'object', attributes: { minZoom: String(minZoom), expiration: String(expiration) }, members: [] };
}
