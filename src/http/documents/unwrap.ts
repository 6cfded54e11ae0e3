/** Finds the resource in a body: bare, in an envelope, in a list of one, or named after a class. */

import { problem } from '../../lib/problems/problem.ts';
import { excerpt } from '../../lib/text/excerpt.ts';
import type { InputNode } from '../serialization/input-tree.ts';

export interface UnwrapOptions {
  /** The name of the resource, for error messages. */
  readonly root: string;
  /** The names of envelopes and lists; class names, which contain a dot, count as well. */
  readonly envelopes: readonly string[];
  /** The members of the resource; a body without any of them is rejected. */
  readonly members: readonly string[];
}

export interface UnwrapResult {
  readonly node: InputNode;
  /** The class in the element name, if there is one. */
  readonly className?: string;
}

export function unwrap(body: InputNode, wrapping: UnwrapOptions): UnwrapResult {
  let node = body;
  let className: string | undefined;
  for (;;) {
    const [wrapper, ...others] = node.members.keys();
    const isClass = wrapper?.includes('.') ?? false;
    if (wrapper === undefined || others.length > 0 || !(isClass || wrapping.envelopes.includes(wrapper))) {
      break;
    }
    const [inner, ...further] = node.members.get(wrapper) ?? [];
    if (inner === undefined || further.length > 0) {
      const found = `${inner === undefined ? 'no item' : `${further.length + 1} items`} in '${excerpt(wrapper)}'`;
      throw problem('document-root', { expected: wrapping.root, found });
    }
    node = inner;
    className = isClass ? wrapper : className;
  }
  if (!wrapping.members.some((member) => node.members.has(member))) {
    throw problem('document-root', { expected: wrapping.root, found: formatFound(node) });
  }
  return { node, ...(className === undefined ? {} : { className }) };
}

/** Wraps a node as the body of a document with this root. */
export function wrapNode(root: string, node: InputNode): InputNode {
  return { kind: 'object', text: '', attributes: new Map(), members: new Map([[root, [node]]]), items: [] };
}

function formatFound(node: InputNode): string {
  if (node.kind === 'list') {
    return 'a list';
  }
  const names = [...node.members.keys()].slice(0, 5).map((name) => `'${excerpt(name)}'`);
  if (names.length > 0) {
    return names.join(', ');
  }
  return node.kind === 'object' || node.text.trim() === '' ? 'no fields' : 'a plain value';
}
