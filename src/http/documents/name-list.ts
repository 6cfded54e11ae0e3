/** A list of plain names: `<roles><role>a</role></roles>` and `{"roles":["a"]}`. */
import type { ListWriter } from './listing.ts';

export function createNameListWriter(
  root: string,
  itemName: string,
  title: string,
): ListWriter<string, readonly string[]> {
  return {
    root,
    getName: String,
    schema: {
      type: 'object',
      properties: {
        [root]: { type: 'array', items: { type: 'string', xml: { name: itemName } }, xml: { wrapped: true } },
      },
      required: [root],
    },
    write: (names) => ({
      root,
      node: {
        kind: 'sequence',
        members: names.map((name) => ({ name: itemName, node: { kind: 'value', value: name } })),
      },
      title,
    }),
  };
}
