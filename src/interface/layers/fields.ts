/** Fields that only layers have: path, attribution, and identifiers. */
import type { Attribution } from '../../catalog/kinds/layer-metadata.ts';
import type { FieldReader, WritableField } from '../../http/documents/field.ts';
import { isXmlText, reportInvalidCharacters } from '../../http/documents/xml-text.ts';
import type { InputNode } from '../../http/serialization/input-tree.ts';
import type { OutputMember, OutputNode } from '../../http/serialization/output-tree.ts';
import { excerpt } from '../../lib/text/excerpt.ts';
import { parseWholeNumber } from '../../lib/values/whole-number.ts';

/** The path in map clients; sending back the value shown for an unset path does not set it. */
export function pathField<R>(
  unset: '/' | 'left out',
  value: (resource: R) => string | undefined,
): WritableField<R, string> {
  return {
    read: (nodes, reader) => {
      const text = nodes.length === 1 ? readText(nodes[0]) : undefined;
      if (text === undefined) {
        reader.reportError('expected a path such as /base/roads');
        return undefined;
      }
      if (text === null || text === unset) {
        return null;
      }
      return isXmlText(text) ? text : reportInvalidCharacters(reader);
    },
    write: (resource) => {
      const path = value(resource) ?? (unset === 'left out' ? undefined : unset);
      return path === undefined ? undefined : { kind: 'value', value: path };
    },
    required: false,
    schema: { type: 'string', description: 'Path in map clients, such as `/base/roads`.' },
  };
}

const attributionTexts = ['title', 'href', 'logoURL', 'logoType'] as const;
const attributionSizes = ['logoWidth', 'logoHeight'] as const;
/** Far more than the size of any logo. */
const MAX_PIXELS = 1_000_000;
const attributionNames = ['title', 'href', 'logoURL', 'logoWidth', 'logoHeight', 'logoType'] as const;

/** The size of the logo is always written because clients expect the element. */
export function attributionField<R>(value: (resource: R) => Attribution | undefined): WritableField<R, Attribution> {
  return {
    read: readAttribution,
    write: (resource) => {
      const attribution = value(resource);
      const members = attributionNames.flatMap((name): readonly OutputMember[] => {
        const content = attribution?.[name] ?? (name === 'logoWidth' || name === 'logoHeight' ? 0 : null);
        return content === null ? [] : [{ name, node: { kind: 'value', value: content } }];
      });
      return { kind: 'object', members };
    },
    required: false,
    schema: {
      type: 'object',
      description: 'Source of the data; a new value replaces the whole attribution.',
      properties: {
        ...Object.fromEntries(attributionTexts.map((name) => [name, { type: 'string' }])),
        ...Object.fromEntries(attributionSizes.map((name) => [name, { type: 'integer' }])),
      },
    },
  };
}

/**
 * Items of two required texts; omitted from responses when empty. Clients also send a plain list of items, or one
 * without the enclosing element.
 */
export function pairsField<R, P extends { readonly [K in keyof P]: string }>(
  itemName: string,
  names: readonly [keyof P & string, keyof P & string],
  value: (resource: R) => readonly P[],
): WritableField<R, readonly P[]> {
  const [first, second] = names;
  return {
    read: (nodes, reader) => {
      if (nodes.some((node) => node.kind === 'nil')) {
        return null;
      }
      const items = nodes.flatMap((node) => node.members.get(itemName) ?? (isEmpty(node) ? [] : [node]));
      const pairs = items.map(
        (item) => [readText(findSingleMember(item, first)), readText(findSingleMember(item, second))] as const,
      );
      if (!pairs.every(([one, other]) => one != null && other != null)) {
        reader.reportError(`expected a list of '${itemName}' items with ${first} and ${second}`);
        return undefined;
      }
      if (!pairs.flat().every((text) => isXmlText(text ?? ''))) {
        return reportInvalidCharacters(reader);
      }
      return pairs.length === 0 ? null : pairs.map(([one, other]) => ({ [first]: one, [second]: other }) as P);
    },
    write: (resource) => {
      const items = value(resource).map(
        (pair): OutputNode => ({
          kind: 'object',
          members: names.map((name): OutputMember => ({ name, node: { kind: 'value', value: pair[name] } })),
        }),
      );
      return items.length === 0 ? undefined : { kind: 'list', itemName, items };
    },
    required: false,
    schema: {
      type: 'object',
      properties: {
        [itemName]: {
          type: 'array',
          items: {
            type: 'object',
            properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
            required: names,
          },
        },
      },
    },
  };
}

/** An empty attribution counts as none. */
function readAttribution(nodes: readonly InputNode[], reader: FieldReader): Attribution | null | undefined {
  const [node, ...others] = nodes;
  if (node === undefined || others.length > 0 || node.kind === 'list' || node.text.trim() !== '') {
    reader.reportError(`expected one attribution with ${attributionNames.join(', ')}`);
    return undefined;
  }
  const readWords = (name: (typeof attributionTexts)[number]): string | null => {
    const text = node.members.has(name) ? readText(findSingleMember(node, name)) : null;
    if (text === undefined) {
      reader.reportError(`${name}: expected text`);
    } else if (text !== null && !isXmlText(text)) {
      reader.reportError(`${name}: contains a control character, which XML cannot represent`);
    }
    return text ?? null;
  };
  const readSize = (name: (typeof attributionSizes)[number]): number => {
    const text = node.members.has(name) ? readText(findSingleMember(node, name)) : null;
    const pixels = text === null ? 0 : parseWholeNumber(text ?? '');
    if (!(pixels >= 0 && pixels < MAX_PIXELS)) {
      reader.reportError(`${name}: expected a number of pixels, found '${excerpt(text ?? 'another type')}'`);
    }
    return pixels;
  };
  const attribution: Attribution = {
    title: readWords('title'),
    href: readWords('href'),
    logoURL: readWords('logoURL'),
    logoWidth: readSize('logoWidth'),
    logoHeight: readSize('logoHeight'),
    logoType: readWords('logoType'),
  };
  return Object.values(attribution).every((content) => content === null || content === 0) ? null : attribution;
}

/** The one node of a member; undefined for none or several. */
function findSingleMember(node: InputNode, name: string): InputNode | undefined {
  const nodes = node.members.get(name) ?? [];
  return nodes.length === 1 ? nodes[0] : undefined;
}

/** The trimmed text of a plain node; null if it is empty, undefined for other nodes. */
function readText(node: InputNode | undefined): string | null | undefined {
  if (node?.kind === 'nil') {
    return null;
  }
  return node?.kind === 'scalar' ? node.text.trim() || null : undefined;
}

function isEmpty({ members, text, kind }: InputNode): boolean {
  return members.size === 0 && text.trim() === '' && kind !== 'list';
}
