/** Lists of feature types: the published ones with links, or plain names of what the data has. */
import type { DocumentWriter } from '../../http/documents/document.ts';
import { listing } from '../../http/documents/listing.ts';
import type { OutputNode, ResourcePath } from '../../http/formats/output-tree.ts';
import type { QueryParameter } from '../../http/query.ts';

export interface FoundFeatureType {
  readonly name: string;
  /** Where the client that asked finds it. */
  readonly path: ResourcePath;
}

export type FeatureTypeList =
  | { readonly kind: 'published'; readonly types: readonly FoundFeatureType[] }
  | { readonly kind: 'native'; readonly names: readonly string[] };

const publishedListing = listing<FoundFeatureType>('featureTypes', {
  itemName: 'featureType',
  title: 'Feature types',
  name: ({ name }) => name,
  path: ({ path }) => path,
});

export const featureTypeListing: DocumentWriter<FeatureTypeList> = {
  root: publishedListing.root,
  schema: publishedListing.schema,
  write(list) {
    if (list.kind === 'published') {
      return publishedListing.write(list.types);
    }
    const items = list.names.map((name): OutputNode => ({ kind: 'value', value: name }));
    return {
      root: 'list',
      node: { kind: 'list', itemName: 'featureTypeName', items },
      title: 'Types of the data',
      // In JSON these are plain strings, and called so.
      json: { root: 'list', node: { kind: 'list', itemName: 'string', items } },
    };
  },
};

const choices = ['configured', 'available', 'available_with_geom', 'all'] as const;
export type ListChoice = (typeof choices)[number];

export const listParameter: QueryParameter<ListChoice> = {
  description: 'Which: the published ones, or the names of those in the data that are not published yet, or of all.',
  schema: { type: 'string', enum: choices },
  expected: `one of ${choices.join(', ')}`,
  parse: (value) => choices.find((choice) => choice === value.trim().toLowerCase()),
  absent: 'configured',
};
