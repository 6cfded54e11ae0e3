/** Prints a document as JSON in the field's habits: root key, `@` attributes, `$` text, collection links as URLs. */
import { hrefOf } from './href.ts';
import type { OutputDocument, OutputNode, WriteContext } from './output-tree.ts';

type Json = string | number | boolean | readonly Json[] | { readonly [member: string]: Json };

export function jsonFrom(document: OutputDocument, context: WriteContext): string {
  // A listing keeps its array whatever its length; only nested lists collapse in the reference's dialect.
  const topContext: WriteContext = { ...context, singleJsonItem: 'array' };
  const node = document.json?.node ?? document.node;
  const root = document.json === undefined ? document.root : document.json.root;
  const value = node.kind === 'list' ? list(node, topContext, context) : plain(node, context);
  return JSON.stringify(root === null ? value : { [root]: value });
}

function plain(node: OutputNode, context: WriteContext): Json {
  switch (node.kind) {
    case 'value':
      return node.value;
    case 'object': {
      const attributes = Object.entries(node.attributes ?? {}).map(([name, value]): [string, Json] => [
        `@${name}`,
        value,
      ]);
      const members: [string, Json][] = node.members.map((member) => [member.name, plain(member.node, context)]);
      members.unshift(...attributes);
      if (node.text !== undefined) {
        members.push(['$', node.text]);
      }
      if (node.link !== undefined) {
        members.push(['href', hrefOf(node.link, 'json', context, node.siblings)]);
      }
      return Object.fromEntries(members);
    }
    case 'list':
      return list(node, context, context);
    case 'sequence':
      return node.members.map((member) => plain(member.node, context));
    case 'map': {
      const items = node.entries.map(([key, value]) => ({ '@key': key, $: value }));
      return repeated('entry', items, context);
    }
    case 'collectionLink':
      return hrefOf(node.path, 'json', context);
  }
}

function list(node: OutputNode & { kind: 'list' }, own: WriteContext, nested: WriteContext): Json {
  return repeated(
    node.itemName,
    node.items.map((item) => plain(item, nested)),
    own,
  );
}

function repeated(name: string, items: readonly Json[], context: WriteContext): Json {
  const [first] = items;
  if (first === undefined) {
    return context.emptyJsonList === 'empty string' ? '' : { [name]: [] };
  }
  if (items.length === 1 && context.singleJsonItem === 'bare item') {
    return { [name]: first };
  }
  return { [name]: items };
}
