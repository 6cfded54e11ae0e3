/** Reads the documents of authentication filters and chains that clients send. */
import { type DocumentReader, SMALL_DOCUMENT_BYTES } from '../../http/documents/document.ts';
import { unwrap } from '../../http/documents/unwrap.ts';
import type { InputNode } from '../../http/serialization/input-tree.ts';
import { mappedMembers, type SentChain, type SentFilter } from '../../security/filter-changes.ts';

export const filterReader: DocumentReader<SentFilter> = {
  root: 'authFilter',
  schemaName: 'authFilterChange',
  maxBytes: SMALL_DOCUMENT_BYTES,
  schema: {
    type: 'object',
    properties: Object.fromEntries(mappedMembers.map((name) => [name, { type: 'string' }])),
    additionalProperties: true,
    examples: [
      { name: 'proxy', className: 'org.geoserver.security.filter.GeoServerRequestHeaderAuthenticationFilter' },
    ],
  },
  read(body) {
    const envelopes = ['authFilter', 'authfilter'];
    const { node, className = '' } = unwrap(body, {
      root: 'authFilter',
      envelopes,
      members: [...mappedMembers, CONFIG],
    });
    const [config] = node.members.get(CONFIG) ?? [];
    const members = [...listMembers(node), ...(config === undefined ? [] : listMembers(config))];
    return { configClassName: config?.attributes.get('class') ?? className, members: new Map(members) };
  },
};

/** The reference server nests the members of a filter in this one. */
const CONFIG = 'config';

function listMembers({ members }: InputNode): readonly (readonly [string, string])[] {
  return [...members]
    .filter(([name]) => name !== CONFIG)
    .flatMap(([name, nodes]) => nodes.map((each) => [name, each.text.trim()] as const));
}

export const chainReader: DocumentReader<SentChain> = {
  root: 'filters',
  schemaName: 'filterChainChange',
  maxBytes: SMALL_DOCUMENT_BYTES,
  schema: { type: 'object', properties: { filters: { type: 'object', additionalProperties: true } } },
  read(body) {
    const [inner] = body.members.get('filters') ?? [];
    const node = inner ?? body;
    return {
      attributes: new Map(node.attributes),
      filters: listTexts(node, 'filter'),
      others: [...node.members.keys()].filter((name) => name !== 'filter'),
    };
  },
};

function listTexts(node: InputNode, name: string): readonly string[] {
  return (node.members.get(name) ?? []).map((each) => each.text.trim());
}
