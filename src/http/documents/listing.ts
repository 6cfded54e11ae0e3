/** A collection as a client lists it: the name of each item and a link to it. */
import type { OutputNode, ResourcePath } from '../formats/output-tree.ts';
import type { DocumentWriter } from './document.ts';

interface ListingItem<R> {
  readonly itemName: string;
  readonly title: string;
  readonly name: (item: R) => string;
  readonly path: (item: R) => ResourcePath;
  /** A remark for people, shown on the page only. */
  readonly note?: (item: R) => string | undefined;
}

export function listing<R>(root: string, item: ListingItem<R>): DocumentWriter<readonly R[]> {
  return {
    root,
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
                properties: { name: { type: 'string' }, href: { type: 'string', format: 'uri' } },
                required: ['name', 'href'],
              },
            },
          },
        },
      },
      required: [root],
    },
    write(resources) {
      const items = resources.map((resource): OutputNode => {
        const note = item.note?.(resource);
        return {
          kind: 'object',
          members: [{ name: 'name', node: { kind: 'value', value: item.name(resource) } }],
          link: item.path(resource),
          ...(note === undefined ? {} : { note }),
        };
      });
      return { root, node: { kind: 'list', itemName: item.itemName, items }, title: item.title };
    },
  };
}
