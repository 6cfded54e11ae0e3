/** The documents for coordinate reference systems. */
import type { CodePage } from '../../crs/registry/list-codes.ts';
import type { CrsDefinition } from '../../crs/resolve-crs.ts';
import type { DocumentWriter } from '../../http/documents/document.ts';
import type { ListWriter } from '../../http/documents/listing.ts';
import { type Html, html, text } from '../../http/serialization/html-page.ts';
import type { OutputMember, OutputNode, WriteContext } from '../../http/serialization/output-tree.ts';
import { writeAnchor, writeRecordTable } from '../../http/serialization/write-html.ts';

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
        items: {
          type: 'object',
          properties: { id: { type: 'string' }, name: { type: 'string' }, href: { type: 'string', format: 'uri' } },
        },
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
      ({ code, name }): OutputNode => ({
        kind: 'object',
        members: [toValueMember('id', code), toValueMember('name', name)],
        link: ['crs', code],
      }),
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

/** The page of coordinate reference systems: a search, codes with names, and links to the other pages. */
function buildCodesPage(listed: CodePage, context: WriteContext): Html {
  const { search, codes, offset, total } = listed;
  const address = `${context.buildUrl(['crs'])}.html`;
  const rows = codes.map(({ code, name }) => [
    writeAnchor(`${context.buildUrl(['crs', code])}.html`, code),
    html`${text(name)}`,
  ]);
  const range = `${(offset + 1).toLocaleString('en')} to ${(offset + codes.length).toLocaleString('en')} of ${total.toLocaleString('en')}`;
  const content =
    codes.length === 0
      ? html`<p class="empty">No coordinate reference systems match. ${writeAnchor(address, 'Show all')}</p>`
      : html`<p>${text(range)}</p>
${writeRecordTable(['Code', 'Name'], rows)}`;
  return html`<form method="get" action="${text(address)}" role="search"><label>Search <input type="search" name="search" value="${text(search ?? '')}" placeholder="part of a code or name"></label> <button>Search</button></form>
${content}
${buildPageLinks(listed, address)}`;
}

function buildPageLinks({ authority, query, search, offset, limit, total }: CodePage, address: string): Html {
  const writePageLink = (start: number, label: string) => {
    const asked = Object.entries({ authority, query, search, limit, offset: Math.max(0, start) });
    const sent = asked.flatMap(([name, value]) => (value === null ? [] : [[name, String(value)] as [string, string]]));
    return writeAnchor(`${address}?${new URLSearchParams(sent)}`, label);
  };
  const steps = [
    ...(offset > 0 ? [writePageLink(offset - limit, '← Previous page')] : []),
    ...(offset + limit < total ? [writePageLink(offset + limit, 'Next page →')] : []),
  ];
  return html`<p>${steps.flatMap((step, index) => (index === 0 ? [step] : [html` · `, step]))}</p>`;
}
