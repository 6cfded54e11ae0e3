/** Fields that only published data has: boxes, CRS, lists of words and links. */
import type { ResourceLink } from '../../catalog/kinds/resource.ts';
import type { Bounds } from '../../crs/bounds.ts';
import type { CrsDefinition } from '../../crs/resolve-crs.ts';
import type { FieldReader, WritableField } from '../../http/documents/field.ts';
import { isXmlText, reportInvalidCharacters } from '../../http/documents/xml-text.ts';
import type { InputNode } from '../../http/serialization/input-tree.ts';
import type { OutputMember, OutputNode } from '../../http/serialization/output-tree.ts';
import { excerpt } from '../../lib/text/excerpt.ts';

/** A CRS as in a document. */
export interface CrsRepresentation {
  readonly text: string;
  readonly kind: CrsDefinition['kind'];
}

/** Clients cannot change it. It is read for resources that are stored without verification. */
export function crsField<R>(value: (resource: R) => CrsRepresentation | undefined): WritableField<R, string> {
  return {
    read: (nodes) => nodes[0]?.text.trim() || null,
    write: (resource) => buildCrsNode(value(resource)),
    required: false,
    schema: { type: 'string', readOnly: true, description: 'CRS of the data as WKT.' },
  };
}

export function boxField<R>(
  value: (resource: R) => { readonly bounds: Bounds | null; readonly crs: CrsRepresentation | undefined },
): WritableField<R, Bounds> {
  return {
    read: readBox,
    write: (resource) => {
      const { bounds, crs } = value(resource);
      return bounds === null ? undefined : { kind: 'object', members: buildBoxMembers(bounds, buildCrsNode(crs)) };
    },
    required: false,
    schema: {
      type: 'object',
      properties: {
        minx: { type: 'number' },
        maxx: { type: 'number' },
        miny: { type: 'number' },
        maxy: { type: 'number' },
        crs: { type: 'string', readOnly: true },
      },
    },
  };
}

/** `<keywords><string>a</string></keywords>`; omitted from responses when empty. */
export function wordsField<R>(value: (resource: R) => readonly string[]): WritableField<R, readonly string[]> {
  return {
    read: readWords,
    write: (resource) => {
      const items = value(resource).map((word): OutputNode => ({ kind: 'value', value: word }));
      return items.length === 0 ? undefined : { kind: 'list', itemName: 'string', items };
    },
    required: false,
    schema: { type: 'object', properties: { string: { type: 'array', items: { type: 'string' } } } },
  };
}

/** An enumerated value in any case; omitted from responses when unset; an empty element clears it. */
export function choiceField<R, V extends string>(
  choices: readonly V[],
  value: (resource: R) => V | undefined,
): WritableField<R, V> {
  return {
    read: (nodes, reader) => {
      const [node, ...others] = nodes;
      const text = node?.text.trim() ?? '';
      if (others.length === 0 && (node?.kind === 'nil' || (node?.kind === 'scalar' && text === ''))) {
        return null;
      }
      const choice = choices.find((each) => each.toLowerCase() === text.toLowerCase());
      if (choice === undefined || others.length > 0) {
        reader.reportError(`expected one of ${choices.join(', ')}, found '${excerpt(text)}'`);
      }
      return choice;
    },
    write: (resource) => {
      const chosen = value(resource);
      return chosen === undefined ? undefined : { kind: 'value', value: chosen };
    },
    required: false,
    schema: { type: 'string', enum: choices },
  };
}

/** Links to external metadata and data; omitted from responses when empty. */
export function linksField<R>(
  itemName: string,
  value: (resource: R) => readonly ResourceLink[],
): WritableField<R, readonly ResourceLink[]> {
  const names = ['type', 'metadataType', 'content', 'about'] as const;
  return {
    read: (nodes, reader) => {
      if (nodes.some((node) => node.kind === 'nil')) {
        return null;
      }
      const items = nodes.flatMap((node) => node.members.get(itemName) ?? []);
      const isOther = (node: InputNode) => !node.members.has(itemName) && (node.members.size > 0 || isText(node));
      if (nodes.some(isOther) || items.some((item) => isText(item) || !hasPlainMembers(item))) {
        reader.reportError(`expected links, each a '${itemName}' with ${names.join(', ')}`);
        return undefined;
      }
      const links = items.map(readLink);
      if (!links.flatMap((link) => Object.values(link)).every((text) => text === null || isXmlText(text))) {
        return reportInvalidCharacters(reader);
      }
      return links;
    },
    write: (resource) => {
      const items = value(resource).map((link): OutputNode => {
        const members = names.flatMap((name): OutputMember[] => {
          const content = link[name];
          return content == null ? [] : [{ name, node: { kind: 'value', value: content } }];
        });
        return { kind: 'object', members };
      });
      return items.length === 0 ? undefined : { kind: 'list', itemName, items };
    },
    required: false,
    schema: {
      type: 'object',
      properties: {
        [itemName]: {
          type: 'array',
          items: { type: 'object', properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])) },
        },
      },
    },
  };
}

function buildCrsNode(crs: CrsRepresentation | undefined): OutputNode | undefined {
  if (crs === undefined) {
    return undefined;
  }
  return crs.kind === 'projected'
    ? { kind: 'object', members: [], attributes: { class: 'projected' }, text: crs.text }
    : { kind: 'value', value: crs.text };
}

function buildBoxMembers({ minX, maxX, minY, maxY }: Bounds, crs: OutputNode | undefined): readonly OutputMember[] {
  const numbers = { minx: minX, maxx: maxX, miny: minY, maxy: maxY };
  return [
    ...Object.entries(numbers).map(([name, value]): OutputMember => ({ name, node: { kind: 'value', value } })),
    ...(crs === undefined ? [] : [{ name: 'crs', node: crs }]),
  ];
}

function readBox(nodes: readonly InputNode[], reader: FieldReader): Bounds | null | undefined {
  const [node] = nodes;
  if (node === undefined || node.kind === 'nil' || (node.members.size === 0 && node.text.trim() === '')) {
    return null;
  }
  const numbers = ['minx', 'miny', 'maxx', 'maxy'].map((name) => readNumber(node.members.get(name)?.[0]));
  const [minX, minY, maxX, maxY] = numbers;
  if (minX === undefined || minY === undefined || maxX === undefined || maxY === undefined) {
    reader.reportError('a box requires the numbers minx, miny, maxx and maxy');
    return undefined;
  }
  return { minX, minY, maxX, maxY };
}

function readNumber(node: InputNode | undefined): number | undefined {
  const number = node === undefined || node.text.trim() === '' ? Number.NaN : Number(node.text);
  return Number.isFinite(number) ? number : undefined;
}

function readWords(nodes: readonly InputNode[], reader: FieldReader): readonly string[] | null | undefined {
  if (nodes.some((node) => node.kind === 'nil')) {
    return null;
  }
  const items = nodes.flatMap((node) => node.members.get('string') ?? (node.text.trim() === '' ? [] : [node]));
  if (items.some((item) => item.members.size > 0)) {
    reader.reportError("expected words, each in a 'string'");
    return undefined;
  }
  const words = items.filter((item) => item.kind !== 'nil').map((item) => item.text);
  return words.every(isXmlText) ? words : reportInvalidCharacters(reader);
}

function readLink(node: InputNode): ResourceLink {
  const readText = (name: string): string | null => node.members.get(name)?.[0]?.text.trim() || null;
  const about = readText('about');
  const link = { type: readText('type'), metadataType: readText('metadataType'), content: readText('content') };
  return about === null ? link : { ...link, about };
}

function isText(node: InputNode): boolean {
  return node.kind === 'list' || node.text.trim() !== '';
}

function hasPlainMembers(node: InputNode): boolean {
  return [...node.members.values()].every(
    ([first, ...others]) => others.length === 0 && first?.kind !== 'list' && (first?.members.size ?? 0) === 0,
  );
}
