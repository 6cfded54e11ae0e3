/** Lists of published resources with links, or names of types in the data: the same for every kind. */
import type { PublishedNames } from '../../catalog/resources/list-resources.ts';
import { createListWriter, type Entries, type ListWriter } from '../../http/documents/listing.ts';
import type { QueryParameter } from '../../http/request/query.ts';
import type { ListResult } from '../../http/route-table/lists.ts';
import { SHORT_LIST } from '../../http/serialization/list-frame.ts';
import type { OutputItems, OutputNode, ResourcePath } from '../../http/serialization/output-tree.ts';
import { type Page, selectPage } from '../../lib/text/page.ts';
import { formatChoices } from '../../lib/text/wording.ts';
import { getStorePath } from './representation.ts';

export interface ResourceEntry {
  readonly name: string;
  /** The path in the requested collection; undefined if it is not published. */
  readonly path: ResourcePath;
}

export type ResourceList =
  | { readonly kind: 'published'; readonly resources: Entries<ResourceEntry> }
  | { readonly kind: 'native'; readonly names: readonly string[] };

/** The result of a list request. */
export type ListedResources = ListResult<ResourceEntry, ResourceList>;

/** Published resources, with the paths of the requested collection. */
export function toPublishedList(
  { workspace, store, names }: PublishedNames,
  collections: { readonly inStore: string; readonly inWorkspace: string },
): ListedResources {
  const home =
    store === undefined
      ? ['workspaces', workspace.name, collections.inWorkspace]
      : [...getStorePath({ store, workspace }), collections.inStore];
  return {
    entries: names.map((name) => ({ name, path: [...home, name] })),
    as: (resources) => ({ kind: 'published', resources }),
  };
}

/** Names in the data. */
export function toNativeList(names: readonly string[], page: Page, warnings?: readonly string[]): ListedResources {
  const found = selectPage(names, String, page);
  return {
    entries: found.map((name) => ({ name, path: [] })),
    as: (entries) => ({ kind: 'native', names: 'items' in entries ? [] : entries.map(({ name }) => name) }),
    isUnlinked: true,
    ...(warnings === undefined ? {} : { warnings }),
  };
}

/** `itemName` is the element name of an item, such as `featureType`. */
export function createResourceListing(
  itemName: string,
  titles: { readonly published: string; readonly native: string },
): ListWriter<ResourceEntry, ResourceList> {
  const linked = createListWriter<ResourceEntry>(`${itemName}s`, {
    itemName,
    title: titles.published,
    name: ({ name }) => name,
    path: ({ path }) => path,
  });
  return {
    root: linked.root,
    schema: linked.schema,
    getName: linked.getName,
    linksEntries: true,
    write(list) {
      if (list.kind === 'published') {
        return linked.write(list.resources);
      }
      const items = buildNameNodes(list.names);
      return {
        root: 'list',
        node: { kind: 'list', itemName: `${itemName}Name`, items },
        title: titles.native,
        // In JSON these are plain strings, and the member is named accordingly.
        json: { root: 'list', node: { kind: 'list', itemName: 'string', items } },
      };
    },
  };
}

/** Items of a long list are created one by one while they are sent. */
function buildNameNodes(names: readonly string[]): OutputItems {
  return names.length <= SHORT_LIST ? [...generateNameNodes(names)] : generateNameNodes(names);
}

function* generateNameNodes(names: readonly string[]): Generator<OutputNode> {
  for (const value of names) {
    yield { kind: 'value', value };
  }
}

/** The selection of a client; published ones by default. */
export function createListParameter<C extends string>(choices: readonly C[]): QueryParameter<C | 'configured'> {
  const all = ['configured' as const, ...choices];
  return {
    description: 'Selection: published resources, or the names in the data that are not published yet, or all names.',
    schema: { type: 'string', enum: all },
    expected: formatChoices(all),
    parse: (value) => all.find((choice) => choice === value.trim().toLowerCase()),
    absent: 'configured',
  };
}
