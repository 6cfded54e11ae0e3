/** A collection as a client lists it: the name of each item and a link to it. */
import { formats } from '../formats/format.ts';
import type { OutputNode, ResourcePath } from '../formats/output-tree.ts';
import type { DocumentWriter } from './document.ts';

const extensions = Object.values(formats).map((format) => format.extension);

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
      const names = new Set(resources.map(item.name));
      const items = resources.map((resource): OutputNode => {
        const name = item.name(resource);
        const note = item.note?.(resource);
        const siblings = extensions.map((extension) => `${name}.${extension}`).filter((each) => names.has(each));
        return {
          kind: 'object',
          members: [{ name: 'name', node: { kind: 'value', value: name } }],
          link: item.path(resource),
          ...(siblings.length === 0 ? {} : { siblings }),
          ...(note === undefined ? {} : { note }),
        };
      });
      return { root, node: { kind: 'list', itemName: item.itemName, items }, title: item.title };
    },
  };
}
