/** Lists of coverages: the published ones with links, or plain names of what the data has. */
import type { DocumentWriter } from '../../http/documents/document.ts';
import { listing } from '../../http/documents/listing.ts';
import type { OutputNode, ResourcePath } from '../../http/formats/output-tree.ts';
import type { QueryParameter } from '../../http/query.ts';

export interface FoundCoverage {
  readonly name: string;
  /** Where the client that asked finds it. */
  readonly path: ResourcePath;
}

export type CoverageList =
  | { readonly kind: 'published'; readonly coverages: readonly FoundCoverage[] }
  | { readonly kind: 'native'; readonly names: readonly string[] };

const publishedListing = listing<FoundCoverage>('coverages', {
  itemName: 'coverage',
  title: 'Coverages',
  name: ({ name }) => name,
  path: ({ path }) => path,
});

export const coverageListing: DocumentWriter<CoverageList> = {
  root: publishedListing.root,
  schema: publishedListing.schema,
  write(list) {
    if (list.kind === 'published') {
      return publishedListing.write(list.coverages);
    }
    const items = list.names.map((name): OutputNode => ({ kind: 'value', value: name }));
    return {
      root: 'list',
      node: { kind: 'list', itemName: 'coverageName', items },
      title: 'Coverages of the data',
      json: { root: 'list', node: { kind: 'list', itemName: 'string', items } },
    };
  },
};

const choices = ['configured', 'available', 'all'] as const;
export type ListChoice = (typeof choices)[number];

export const listParameter: QueryParameter<ListChoice> = {
  description: 'Which: the published ones, or the names of those in the data that are not published yet, or of all.',
  schema: { type: 'string', enum: choices },
  expected: `one of ${choices.join(', ')}`,
  parse: (value) => choices.find((choice) => choice === value.trim().toLowerCase()),
  absent: 'configured',
};
