/** Accepts a JSON document with or without its root key, as clients of flat documents send it. */
import type { InputNode } from '../serialization/input-tree.ts';
import type { ResourceDocument } from './document.ts';

export function acceptUnwrapped<R, D>(document: ResourceDocument<R, D>): ResourceDocument<R, D> {
  const { root, schema } = document;
  const fields = new Set(Object.keys(schema.properties?.[root]?.properties ?? {}));
  const isUnwrapped = (body: InputNode) =>
    body.kind === 'object' && !body.members.has(root) && [...body.members.keys()].some((name) => fields.has(name));
  return {
    ...document,
    read: (body, purpose, unknown) =>
      document.read(isUnwrapped(body) ? wrapInRoot(root, body) : body, purpose, unknown),
  };
}

function wrapInRoot(root: string, body: InputNode): InputNode {
  return { kind: 'object', text: '', attributes: new Map(), members: new Map([[root, [body]]]), items: [] };
}
