/** Finds the resource in a body that may come bare, in an envelope, in a list of one, or named after a class. */

import { problem } from '../../lib/problems/problem.ts';
import { excerpt } from '../../lib/text/excerpt.ts';
import type { InputNode } from '../serialization/input-tree.ts';

export interface UnwrapOptions {
  /** What the resource is called, for the complaint about something else. */
  readonly root: string;
  /** The names of envelopes and lists; a name with a dot in it, as classes have, counts as one too. */
  readonly envelopes: readonly string[];
  /** The members that a resource has; a body with none of them is something else. */
  readonly members: readonly string[];
}

export interface UnwrapResult {
  readonly node: InputNode;
  /** The class the resource was named after, where it was. */
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
      const found = `${inner === undefined ? 'none' : further.length + 1} in '${excerpt(wrapper)}'`;
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

/** The body that a document of this root reads. */
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
  return node.kind === 'object' || node.text.trim() === '' ? 'no field at all' : 'a plain value';
}
