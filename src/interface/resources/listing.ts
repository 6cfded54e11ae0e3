/** Lists of published resources with links, or plain names of what the data has: the same for every kind. */
import type { DocumentWriter } from '../../http/documents/document.ts';
import { listing } from '../../http/documents/listing.ts';
import { SHORT_LIST } from '../../http/formats/list-frame.ts';
import type { OutputItems, OutputNode, ResourcePath } from '../../http/formats/output-tree.ts';
import type { QueryParameter } from '../../http/query.ts';

export interface FoundResource {
  readonly name: string;
  /** Where the client that asked finds it. */
  readonly path: ResourcePath;
}

export type ResourceList =
  | { readonly kind: 'published'; readonly resources: readonly FoundResource[] }
  | { readonly kind: 'native'; readonly names: readonly string[] };

/** What a request for a list comes to. */
export interface ListedResources {
  readonly resource: ResourceList;
  readonly warnings?: readonly string[];
}

/** `itemName` is what one of them is called, such as `featureType`. */
export function resourceListing(
  itemName: string,
  titles: { readonly published: string; readonly native: string },
): DocumentWriter<ResourceList> {
  const published = listing<FoundResource>(`${itemName}s`, {
    itemName,
    title: titles.published,
    name: ({ name }) => name,
    path: ({ path }) => path,
  });
  return {
    root: published.root,
    schema: published.schema,
    write(list) {
      if (list.kind === 'published') {
        return published.write(list.resources);
      }
      const items = nameNodes(list.names);
      return {
        root: 'list',
        node: { kind: 'list', itemName: `${itemName}Name`, items },
        title: titles.native,
        // In JSON these are plain strings, and called so.
        json: { root: 'list', node: { kind: 'list', itemName: 'string', items } },
      };
    },
  };
}

/** Those of a long list are made one by one, when they are sent. */
function nameNodes(names: readonly string[]): OutputItems {
  return names.length <= SHORT_LIST ? [...nodesOf(names)] : nodesOf(names);
}

function* nodesOf(names: readonly string[]): Generator<OutputNode> {
  for (const value of names) {
    yield { kind: 'value', value };
  }
}

/** Which of them a client asks for; the published ones unless it says so. */
export function listParameterOf<C extends string>(choices: readonly C[]): QueryParameter<C | 'configured'> {
  const all = ['configured' as const, ...choices];
  return {
    description: 'Which: the published ones, or the names of those in the data that are not published yet, or of all.',
    schema: { type: 'string', enum: all },
    expected: `one of ${all.join(', ')}`,
    parse: (value) => all.find((choice) => choice === value.trim().toLowerCase()),
    absent: 'configured',
  };
}
