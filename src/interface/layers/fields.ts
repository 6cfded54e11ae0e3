/** Kinds of fields that only layers have: their path, whom they are from, and by whom they are known. */
import type { Attribution } from '../../catalog/kinds/layer-metadata.ts';
import type { FieldReader, WritableField } from '../../http/documents/field.ts';
import { isXmlText, reportInvalidCharacters } from '../../http/documents/xml-text.ts';
import type { InputNode } from '../../http/serialization/input-tree.ts';
import type { OutputMember, OutputNode } from '../../http/serialization/output-tree.ts';
import { excerpt } from '../../lib/text/excerpt.ts';
import { parseWholeNumber } from '../../lib/values/whole-number.ts';

/** Where map clients show the layer; who sends back what is shown of an unset path has not set it. */
export function pathField<R>(
  unset: '/' | 'left out',
  value: (resource: R) => string | undefined,
): WritableField<R, string> {
  return {
    read: (nodes, reader) => {
      const text = nodes.length === 1 ? readText(nodes[0]) : undefined;
      if (text === undefined) {
        reader.reportError('a path was expected, such as /base/roads');
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
    schema: { type: 'string', description: 'Where map clients show it, such as `/base/roads`.' },
  };
}

const attributionTexts = ['title', 'href', 'logoURL', 'logoType'] as const;
const attributionSizes = ['logoWidth', 'logoHeight'] as const;
const MAX_PIXELS = 1_000_000;
const attributionNames = ['title', 'href', 'logoURL', 'logoWidth', 'logoHeight', 'logoType'] as const;

/** The size of the logo is always told, since clients of this interface expect the element. */
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
      description: 'Whom the data is from; one that is sent replaces the whole of the former.',
      properties: {
        ...Object.fromEntries(attributionTexts.map((name) => [name, { type: 'string' }])),
        ...Object.fromEntries(attributionSizes.map((name) => [name, { type: 'integer' }])),
      },
    },
  };
}

/**
 * Items of two texts each, of which none may be missing; left out of replies when there are none. Clients also send a
 * plain list of them, or one without the element around it.
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
        reader.reportError(`a list was expected, each of its items a '${itemName}' with ${first} and ${second}`);
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

/** One that says nothing is as good as none. */
function readAttribution(nodes: readonly InputNode[], reader: FieldReader): Attribution | null | undefined {
  const [node, ...others] = nodes;
  if (node === undefined || others.length > 0 || node.kind === 'list' || node.text.trim() !== '') {
    reader.reportError(`one attribution was expected, with ${attributionNames.join(', ')}`);
    return undefined;
  }
  const readWords = (name: (typeof attributionTexts)[number]): string | null => {
    const text = node.members.has(name) ? readText(findSingleMember(node, name)) : null;
    if (text === undefined) {
      reader.reportError(`${name}: a text was expected`);
    } else if (text !== null && !isXmlText(text)) {
      reader.reportError(`${name}: it contains a control character, which XML cannot carry`);
    }
    return text ?? null;
  };
  const readSize = (name: (typeof attributionSizes)[number]): number => {
    const text = node.members.has(name) ? readText(findSingleMember(node, name)) : null;
    const pixels = text === null ? 0 : parseWholeNumber(text ?? '');
    if (!(pixels >= 0 && pixels < MAX_PIXELS)) {
      reader.reportError(
        `${name}: a number of pixels was expected, but '${excerpt(text ?? 'something else')}' was found`,
      );
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

/** The one node of a member; undefined when there are none or several. */
function findSingleMember(node: InputNode, name: string): InputNode | undefined {
  const nodes = node.members.get(name) ?? [];
  return nodes.length === 1 ? nodes[0] : undefined;
}

/** The text of a plain node without blanks around it; null when there is nothing in it, undefined for anything else. */
function readText(node: InputNode | undefined): string | null | undefined {
  if (node?.kind === 'nil') {
    return null;
  }
  return node?.kind === 'scalar' ? node.text.trim() || null : undefined;
}

function isEmpty({ members, text, kind }: InputNode): boolean {
  return members.size === 0 && text.trim() === '' && kind !== 'list';
}
