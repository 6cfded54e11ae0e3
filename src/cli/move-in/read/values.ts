/** Values of elements in the form of configuration documents. */
import type { Json, JsonObject } from '../../../lib/json/value.ts';
import type { XmlElement } from '../../../lib/xml/element.ts';
import { attribute, child, listChildElements, listChildren } from '../../../lib/xml/elements.ts';
import { findChildText, readElementText, readRawText } from '../../../lib/xml/text.ts';

/** Reads a child element; undefined if it has no value. */
export type ReadValue = (element: XmlElement) => Json | undefined;

export const readText: ReadValue = (element) => readElementText(element) || undefined;

export const readFlag: ReadValue = (element) => {
  const text = readElementText(element).toLowerCase();
  return text === 'true' || text === 'false' ? text === 'true' : undefined;
};

export const readNumber: ReadValue = (element) => {
  const text = readElementText(element);
  const number = Number(text);
  return text !== '' && Number.isFinite(number) ? number : undefined;
};

/** `<keywords><string>a</string></keywords>` */
export const readWords: ReadValue = (element) => {
  const words = listChildElements(element).flatMap((each) => readElementText(each) || []);
  return words.length === 0 ? undefined : { string: words };
};

/** Reads items of texts: `<metadataLinks><metadataLink><type>…`. */
export function createItemsReader(itemName: string, names: readonly string[]): ReadValue {
  return (element) => {
    const items = listChildren(element, itemName).map((item) =>
      Object.fromEntries(names.flatMap((name) => toMember(name, findChildText(item, name)))),
    );
    return items.length === 0 ? undefined : { [itemName]: items };
  };
}

function toMember(name: string, text: string | undefined): readonly (readonly [string, string])[] {
  return text === undefined || text === '' ? [] : [[name, text]];
}

/** Any element as a value: attributes as `@name`, several children of one name as a list. */
export function readTree(element: XmlElement): Json {
  const children = listChildElements(element);
  const attributes = element.attributes.filter(({ uri }) => uri === '');
  if (children.length === 0 && attributes.length === 0) return parsePlainValue(readRawText(element));
  const members = new Map<string, Json>(attributes.map(({ name, value }) => [`@${name}`, value]));
  if (children.length === 0) members.set('$', readRawText(element));
  for (const [name, siblings] of Map.groupBy(children, ({ name: childName }) => childName)) {
    const values = siblings.map(readTree);
    members.set(name, values.length === 1 ? (values[0] ?? null) : values);
  }
  return toObject(members);
}

/** Without a setter of the prototype. */
export function toObject(members: Iterable<readonly [string, Json]>): JsonObject {
  const object: Record<string, Json> = {};
  for (const [name, value] of members) {
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  }
  return object;
}

/** Numbers and booleans, if the text can be restored. */
function parsePlainValue(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  const number = Number(text);
  return Number.isFinite(number) && String(number) === text ? number : text;
}

/** An entry of a map: its key, and its text or the element with its value. */
export interface MapEntry {
  readonly key: string;
  readonly text: string | undefined;
  readonly element: XmlElement;
}

/** Reads `<entry key="k">v</entry>` and `<entry><string>k</string><string>v</string></entry>`. */
export function readEntries(element: XmlElement | undefined): readonly MapEntry[] {
  if (element === undefined) return [];
  return listChildren(element, 'entry').flatMap((entry): readonly MapEntry[] => {
    const key = attribute(entry, 'key');
    const inner = listChildElements(entry);
    if (key !== undefined) {
      return [{ key, text: inner.length === 0 ? readRawText(entry) : undefined, element: entry }];
    }
    const [first, second] = inner;
    if (first?.local !== 'string') return [];
    const isText = second === undefined || second.local === 'string';
    return [
      {
        key: readRawText(first),
        text: isText ? (second === undefined ? '' : readRawText(second)) : undefined,
        element: { ...entry, children: inner.slice(1) },
      },
    ];
  });
}

/** Metadata: a map of texts, or a list of entries if values are nested. */
export const readMetadata: ReadValue = (element) => {
  const entries = readEntries(element);
  if (entries.length === 0) return undefined;
  if (entries.every(({ text, key }) => text !== undefined && key !== 'entry' && key !== '$' && !key.startsWith('@'))) {
    return toObject(entries.map(({ key, text = '' }) => [key, text]));
  }
  return {
    entry: entries.map(({ key, text, element: entry }): Json => {
      if (text !== undefined) return { '@key': key, $: text };
      const tree = readTree({ ...entry, attributes: [] });
      return typeof tree === 'object' && tree !== null
        ? toObject([['@key', key], ...Object.entries(tree)])
        : { '@key': key };
    }),
  };
};

/** A map of texts. */
export const readTextMap: ReadValue = (element) => {
  const entries = readEntries(element).flatMap(({ key, text }) => (text === undefined ? [] : [[key, text] as const]));
  return entries.length === 0 ? undefined : toObject(entries);
};

export function findFlag(element: XmlElement, name: string): boolean | undefined {
  const found = child(element, name);
  const flag = found && readFlag(found);
  return typeof flag === 'boolean' ? flag : undefined;
}

export function findText(element: XmlElement, name: string): string | undefined {
  return findChildText(element, name) || undefined;
}

/** A reference: the id or name inside an element, or its text. */
export interface Reference {
  readonly id: string | undefined;
  readonly name: string | undefined;
}

export function readReference(element: XmlElement | undefined): Reference | undefined {
  if (element === undefined) return undefined;
  const id = findText(element, 'id');
  const name = findText(element, 'name') ?? (readElementText(element) || undefined);
  return id === undefined && name === undefined ? undefined : { id, name };
}
