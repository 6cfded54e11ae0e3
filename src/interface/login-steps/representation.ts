/** The documents for authentication filters and filter chains. */
import { createClassWriter } from '../../http/documents/class-document.ts';
import { type DocumentWriter, defineDocument } from '../../http/documents/document.ts';
import { createFieldBuilders } from '../../http/documents/fields.ts';
import { createListWriter, type ListWriter } from '../../http/documents/listing.ts';
import type { OutputMember, OutputNode, OutputObject } from '../../http/serialization/output-tree.ts';
import { type AuthFilter, type FilterChain, listChainAttributes } from '../../security/filter-chains.ts';
import type { Dialect } from '../common/dialects.ts';

const { serverText } = createFieldBuilders<AuthFilter>();

function factField(name: string) {
  return {
    required: false,
    schema: {},
    write: ({ facts }: AuthFilter): OutputNode | undefined => {
      const value = facts[name];
      return value === undefined ? undefined : { kind: 'value', value };
    },
  };
}

const filterDocument = defineDocument(
  'authFilter',
  {
    name: serverText(({ name }) => name),
    className: serverText(({ className }) => className),
    useRememberMe: factField('useRememberMe'),
    allowIfAllAbstainDecisions: factField('allowIfAllAbstainDecisions'),
    securityMetadataSource: factField('securityMetadataSource'),
    principalHeaderAttribute: factField('principalHeaderAttribute'),
    roleSource: factField('roleSource'),
    rolesHeaderAttribute: factField('rolesHeaderAttribute'),
  },
  { title: ({ name }) => `Authentication filter ${name}` },
);

export function createAuthFilterWriter(dialect: Dialect): DocumentWriter<AuthFilter> {
  return createClassWriter(filterDocument, {
    classOf: ({ configClassName }) => configClassName,
    json: dialect.providerJson,
    exampleClass: 'org.geoserver.security.config.BasicAuthenticationFilterConfig',
  });
}

export const authFilterListing = createListWriter<AuthFilter>('authFilters', {
  itemName: 'authFilter',
  title: 'Authentication filters',
  name: ({ name }) => name,
  path: ({ name }) => ['security', 'authfilters', name],
});

const chainSchema = {
  type: 'object',
  properties: {
    '@name': { type: 'string' },
    '@class': { type: 'string' },
    '@path': { type: 'string' },
    '@disabled': { type: 'boolean' },
    filter: { type: 'array', items: { type: 'string' } },
  },
  additionalProperties: true,
} as const;

function toFilterMembers({ filters }: FilterChain): readonly OutputMember[] {
  return filters.map((name) => ({ name: 'filter', node: { kind: 'value', value: name } }));
}

/** Attributes are text in XML; in JSON they have types. */
function buildXmlNode(chain: FilterChain): OutputObject {
  const attributes = listChainAttributes(chain).map(([name, value]) => [name, String(value)] as const);
  return { kind: 'object', attributes: Object.fromEntries(attributes), members: toFilterMembers(chain) };
}

function buildJsonNode(chain: FilterChain): OutputObject {
  const attributes = listChainAttributes(chain).map(
    ([name, value]): OutputMember => ({ name: `@${name}`, node: { kind: 'value', value } }),
  );
  return {
    kind: 'object',
    members: [...attributes, { name: 'filter', node: { kind: 'sequence', members: toFilterMembers(chain) } }],
  };
}

export const chainDocument: DocumentWriter<FilterChain> = {
  root: 'filters',
  schemaName: 'filterChain',
  schema: { type: 'object', properties: { filters: chainSchema }, required: ['filters'] },
  write: (chain) => ({
    root: 'filters',
    node: buildXmlNode(chain),
    json: { root: 'filters', node: buildJsonNode(chain) },
    title: `Filter chain ${chain.name}`,
  }),
};

export const chainList: ListWriter<FilterChain, readonly FilterChain[]> = {
  root: 'filterChain',
  getName: ({ name }) => name,
  schemaName: 'filterChains',
  schema: {
    type: 'object',
    properties: {
      filterChain: { type: 'object', properties: { filters: { type: 'array', items: chainSchema } } },
    },
    required: ['filterChain'],
  },
  write: (chains) => {
    const inJson = chains.map((chain) => ({ name: 'filters', node: buildJsonNode(chain) }));
    return {
      root: 'filterChain',
      node: { kind: 'object', members: chains.map((chain) => ({ name: 'filters', node: buildXmlNode(chain) })) },
      json: {
        root: 'filterChain',
        node: { kind: 'object', members: [{ name: 'filters', node: { kind: 'sequence', members: inJson } }] },
      },
      title: 'Filter chains',
    };
  },
};
