/** Lists of a collection: the name of each item and a link to it. */
import { formats } from '../serialization/format.ts';
import { SHORT_LIST } from '../serialization/list-frame.ts';
import type { OutputItems, OutputMember, OutputObject, ResourcePath } from '../serialization/output-tree.ts';
import type { DocumentWriter } from './document.ts';
import type { JsonSchema } from './schema.ts';

const extensions = Object.values(formats).map((format) => `.${format.extension}`);

interface ListingItem<R> {
  /** Required if several lists have the same root. */
  readonly schemaName?: string;
  readonly itemName: string;
  readonly title: string;
  readonly name: (item: R) => string;
  readonly path: (item: R) => ResourcePath;
  readonly searchText?: (item: R) => string;
  /** Further members of an entry, and their schema. */
  readonly details?: {
    readonly properties: Readonly<Record<string, JsonSchema>>;
    readonly write: (item: R) => readonly OutputMember[];
  };
  /** A remark, shown on the HTML page only. */
  readonly note?: (item: R) => string | undefined;
}

/**
 * A page of items, or items that are read while the first ones are sent. The session of the request is closed by then,
 * so the producer must hold its snapshot.
 */
export interface StreamedItems<R> {
  readonly items: readonly R[] | AsyncIterable<R>;
  /**
   * The names, including those of other pages, that end with a format extension (`hasFormatExtension`): `a.xml` changes
   * the link to `a`.
   */
  readonly namesLikeFormats: readonly string[];
}

/** Whether a name could be another name plus the extension of a format. */
export function hasFormatExtension(name: string): boolean {
  return extensions.some((extension) => name.endsWith(extension));
}

export type Entries<R> = readonly R[] | StreamedItems<R>;

/** Writes a list. */
export interface ListWriter<R, D> extends DocumentWriter<D> {
  /** The unique name that pages are ordered by. */
  getName(entry: R): string;
  /** The text that the query parameter `q` is compared with; by default the name. */
  getSearchText?(entry: R): string;
  /** Whether each entry has a link, which other names can change. */
  readonly linksEntries?: boolean;
}

export function createListWriter<R>(root: string, item: ListingItem<R>): ListWriter<R, Entries<R>> {
  return {
    root,
    ...(item.schemaName === undefined ? {} : { schemaName: item.schemaName }),
    getName: item.name,
    ...(item.searchText === undefined ? {} : { getSearchText: item.searchText }),
    linksEntries: true,
    schema: {
      type: 'object',
      properties: {
        [root]: {
          type: 'object',
          properties: {
            [item.itemName]: {
              type: 'array',
              items: {
                type: 'object',
                properties: {
                  name: { type: 'string' },
                  href: { type: 'string', format: 'uri' },
                  ...item.details?.properties,
                },
                required: ['name', 'href'],
              },
            },
          },
        },
      },
      required: [root],
    },
    write: (resources) => ({
      root,
      node: { kind: 'list', itemName: item.itemName, items: toOutputItems(resources, item) },
      title: item.title,
    }),
  };
}

/** Creates the nodes of a long list one by one, on demand. */
function toOutputItems<R>(resources: Entries<R>, item: ListingItem<R>): OutputItems {
  if ('namesLikeFormats' in resources) {
    const { items, namesLikeFormats } = resources;
    const writeNode = createNodeWriter(item, namesLikeFormats);
    return Symbol.asyncIterator in items ? writeStreamedNodes(items, writeNode) : items.map(writeNode);
  }
  const writeNode = createNodeWriter(item, resources.map(item.name).filter(hasFormatExtension));
  return resources.length <= SHORT_LIST ? resources.map(writeNode) : writeNodes(resources, writeNode);
}

function* writeNodes<R>(resources: readonly R[], writeNode: (resource: R) => OutputObject): Generator<OutputObject> {
  for (const resource of resources) {
    yield writeNode(resource);
  }
}

async function* writeStreamedNodes<R>(
  resources: AsyncIterable<R>,
  writeNode: (resource: R) => OutputObject,
): AsyncGenerator<OutputObject> {
  for await (const resource of resources) {
    yield writeNode(resource);
  }
}

function createNodeWriter<R>(item: ListingItem<R>, namesLikeFormats: readonly string[]): (resource: R) => OutputObject {
  const twins = new Set(namesLikeFormats);
  return (resource) => {
    const name = item.name(resource);
    const plain: OutputObject = {
      kind: 'object',
      members: [{ name: 'name', node: { kind: 'value', value: name } }, ...(item.details?.write(resource) ?? [])],
      link: item.path(resource),
    };
    const note = item.note?.(resource);
    const siblings =
      twins.size === 0 ? [] : extensions.map((extension) => `${name}${extension}`).filter((each) => twins.has(each));
    if (note === undefined && siblings.length === 0) {
      return plain;
    }
    return { ...plain, ...(siblings.length === 0 ? {} : { siblings }), ...(note === undefined ? {} : { note }) };
  };
}
