/** A document whose JSON is a flat object without a root key; a root key is accepted as well. */
import type { InputNode } from '../serialization/input-tree.ts';
import type { ResourceDocument } from './document.ts';

export function toRootlessDocument<R, D>(document: ResourceDocument<R, D>): ResourceDocument<R, D> {
  const { root, schema } = document;
  return {
    ...document,
    schema: schema.properties?.[root] ?? schema,
    write: (resource) => ({ ...document.write(resource), json: { root: null } }),
    read: (body, purpose, unknown) =>
      document.read(hasRoot(body, root) ? body : wrapInRoot(root, body), purpose, unknown),
  };
}

/** Whether a body has its root key, as every XML document does. */
export function hasRoot(body: InputNode, root: string): boolean {
  return body.kind !== 'object' || body.members.has(root);
}

function wrapInRoot(root: string, body: InputNode): InputNode {
  return { kind: 'object', text: '', attributes: new Map(), members: new Map([[root, [body]]]), items: [] };
}
