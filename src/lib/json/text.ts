/** Writes a JSON tree; numbers keep their digits. */
import type { JsonTree } from './tree.ts';

export function formatJsonTree(tree: JsonTree): string {
  switch (tree.kind) {
    case 'string':
      return JSON.stringify(tree.text);
    case 'number':
      return tree.text;
    case 'boolean':
      return String(tree.value);
    case 'null':
      return 'null';
    case 'array':
      return `[${tree.items.map(formatJsonTree).join(',')}]`;
    case 'object':
      return `{${[...tree.members].map(([name, value]) => `${JSON.stringify(name)}:${formatJsonTree(value)}`).join(',')}}`;
  }
}
