/** Serializes a document as JSON: root key, `@` attributes, `$` text, collection links as URLs. */
import { buildHref } from './href.ts';
import { type ListFrame, printList } from './list-frame.ts';
import type { OutputDocument, OutputListing, OutputMember, OutputNode, WriteContext } from './output-tree.ts';

type Json = null | string | number | boolean | readonly Json[] | { readonly [member: string]: Json };

export function writeJson(document: OutputDocument, context: WriteContext): string {
  const node = document.json?.node ?? document.node;
  const root = document.json === undefined ? document.root : document.json.root;
  if (node.kind === 'list') {
    return printList(createJsonListFrame(root, node, context), node.items);
  }
  const value = toPlainJson(node, context);
  return JSON.stringify(root === null ? value : { [root]: value });
}

/** A top-level list is always an array; only nested lists collapse in the compatible dialect. */
export function createJsonListFrame(root: string | null, list: OutputListing, context: WriteContext): ListFrame {
  const [rootBefore, rootAfter] = root === null ? ['', ''] : [`{${JSON.stringify(root)}:`, '}'];
  const attributes = toJsonAttributes(list).map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)},`);
  const before = `${rootBefore}{${attributes.join('')}${JSON.stringify(list.itemName)}:[`;
  const after = `]}${rootAfter}`;
  return {
    before,
    item: (node) => writeItem(node, context),
    between: ',',
    after,
    empty: context.emptyJsonList === 'empty string' ? `${rootBefore}""${rootAfter}` : `${before}${after}`,
  };
}

/** A fast path for items with a name and a link, which most long lists have. */
function writeItem(node: OutputNode, context: WriteContext): string {
  const [only, ...others] = node.kind === 'object' && node.attributes === undefined ? node.members : [];
  if (node.kind !== 'object' || node.link === undefined || only?.node.kind !== 'value' || others.length > 0) {
    return JSON.stringify(toPlainJson(node, context));
  }
  const href = buildHref(node.link, 'json', context, node.siblings);
  return `{${JSON.stringify(only.name)}:${JSON.stringify(only.node.value)},"href":${JSON.stringify(href)}}`;
}

function toPlainJson(node: OutputNode, context: WriteContext): Json {
  switch (node.kind) {
    case 'value':
      return node.value;
    case 'object': {
      const members = [...toJsonAttributes(node), ...toJsonMembers(node.members, context)];
      if (node.text !== undefined) {
        members.push(['$', node.text]);
      }
      if (node.link !== undefined) {
        members.push(['href', buildHref(node.link, 'json', context, node.siblings)]);
      }
      return Object.fromEntries(members);
    }
    case 'list':
      return list(node, context);
    case 'sequence':
      return node.members.map((member) => toPlainJson(member.node, context));
    case 'repeated':
      return node.items;
    case 'dictionary':
      return Object.fromEntries(node.entries);
    case 'map': {
      const items = node.entries.map(([key, value]) => ({ '@key': key, $: value }));
      return toRepeatedJson('entry', items, context);
    }
    case 'collectionLink':
      return buildHref(node.path, 'json', context);
  }
}

/** Several members with the same name are an array. */
function toJsonMembers(members: readonly OutputMember[], context: WriteContext): readonly [string, Json][] {
  const groups = Map.groupBy(members, (member) => member.name);
  return [...groups].map(([name, group]) => {
    const values = group.map((member) => toPlainJson(member.node, context));
    const [only] = values;
    return [name, values.length > 1 || only === undefined ? values : only];
  });
}

function list(node: OutputNode & { kind: 'list' }, context: WriteContext): Json {
  const items = toRepeatedJson(
    node.itemName,
    node.items.map((item) => toPlainJson(item, context)),
    context,
  );
  const attributes = toJsonAttributes(node);
  return attributes.length === 0 || typeof items !== 'object' ? items : { ...Object.fromEntries(attributes), ...items };
}

function toJsonAttributes({
  attributes = {},
}: {
  readonly attributes?: Readonly<Record<string, string>>;
}): [string, Json][] {
  return Object.entries(attributes).map(([name, value]) => [`@${name}`, value]);
}

function toRepeatedJson(name: string, items: readonly Json[], context: WriteContext): Json {
  const [first] = items;
  if (first === undefined) {
    return context.emptyJsonList === 'empty string' ? '' : { [name]: [] };
  }
  if (items.length === 1 && context.singleJsonItem === 'bare item') {
    return { [name]: first };
  }
  return { [name]: items };
}
