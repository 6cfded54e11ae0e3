/** The documents for coordinate reference systems. */
import type { CodePage } from '../../crs/registry/list-codes.ts';
import type { CrsDefinition } from '../../crs/resolve-crs.ts';
import type { DocumentWriter } from '../../http/documents/document.ts';
import type { ListWriter } from '../../http/documents/listing.ts';
import type { OutputMember, OutputNode } from '../../http/serialization/output-tree.ts';
import { buildCodesPage } from './page.ts';

const toValueMember = (name: string, of: string | number): OutputMember => ({
  name,
  node: { kind: 'value', value: of },
});

function toListMember(name: string, itemName: string, nodes: readonly OutputNode[]): OutputMember {
  return { name, node: { kind: 'sequence', members: nodes.map((node) => ({ name: itemName, node })) } };
}

/** A page of codes with links, and its position in the whole list. */
export const codeList: DocumentWriter<CodePage> = {
  root: 'codes',
  schemaName: 'crsCodes',
  schema: {
    type: 'object',
    properties: {
      crs: {
        type: 'array',
        items: { type: 'object', properties: { id: { type: 'string' }, href: { type: 'string', format: 'uri' } } },
      },
      page: {
        type: 'object',
        properties: {
          offset: { type: 'integer' },
          limit: { type: 'integer' },
          returned: { type: 'integer' },
          total: { type: 'integer' },
        },
      },
    },
    required: ['crs', 'page'],
  },
  write(listed) {
    const { codes, offset, limit, total } = listed;
    const items = codes.map(
      ({ code }): OutputNode => ({ kind: 'object', members: [toValueMember('id', code)], link: ['crs', code] }),
    );
    const page = [
      toValueMember('offset', offset),
      toValueMember('limit', limit),
      toValueMember('returned', codes.length),
      toValueMember('total', total),
    ];
    return {
      root: 'codes',
      json: { root: null },
      node: {
        kind: 'object',
        members: [toListMember('crs', 'code', items), { name: 'page', node: { kind: 'object', members: page } }],
      },
      title: 'Coordinate reference systems',
      page: { hasForm: true, writeContent: (context) => buildCodesPage(listed, context) },
    };
  },
};

interface Authority {
  readonly name: string;
  readonly href: string;
}

export const authorityList: ListWriter<Authority, readonly Authority[]> = {
  root: 'authorities',
  getName: ({ name }) => name,
  schema: {
    type: 'object',
    properties: {
      authorities: {
        type: 'array',
        items: { type: 'object', properties: { name: { type: 'string' }, href: { type: 'string', format: 'uri' } } },
      },
    },
    required: ['authorities'],
  },
  write: (authorities) => ({
    root: 'authorities',
    node: {
      kind: 'sequence',
      members: authorities.map(({ name, href }) => ({
        name: 'authority',
        node: { kind: 'object', members: [toValueMember('name', name), toValueMember('href', href)] },
      })),
    },
    title: 'CRS authorities',
  }),
};

/** The definition of a code; its area of use in degrees. */
export const crsDocument: DocumentWriter<CrsDefinition> = {
  root: 'crs',
  schema: {
    type: 'object',
    properties: {
      id: { type: 'string', examples: ['EPSG:4326'] },
      format: { type: 'string', examples: ['wkt'] },
      name: { type: 'string' },
      bboxWGS84: {
        type: 'object',
        properties: {
          minX: { type: 'number' },
          minY: { type: 'number' },
          maxX: { type: 'number' },
          maxY: { type: 'number' },
        },
      },
      definition: { type: 'string', description: 'Well-known text with x before y.' },
    },
    required: ['id', 'format', 'definition'],
  },
  write({ code = '', name, wkt, areaOfUse }) {
    const area: readonly OutputMember[] =
      areaOfUse === undefined
        ? []
        : [
            toValueMember('minX', areaOfUse.west),
            toValueMember('minY', areaOfUse.south),
            toValueMember('maxX', areaOfUse.east),
            toValueMember('maxY', areaOfUse.north),
          ];
    return {
      root: 'crs',
      json: { root: null },
      node: {
        kind: 'object',
        members: [
          toValueMember('id', code),
          toValueMember('format', 'wkt'),
          toValueMember('name', name),
          ...(area.length === 0 ? [] : [{ name: 'bboxWGS84', node: { kind: 'object', members: area } } as const]),
          toValueMember('definition', wkt),
        ],
      },
      title: code,
    };
  },
};
