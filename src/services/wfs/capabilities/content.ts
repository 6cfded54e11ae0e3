/** What the capabilities of a WFS tell, whatever the version. */
import type { Bounds } from '../../../data/crs/bounds.ts';
import { escapeAttribute, escapeText } from '../../../lib/xml/escape.ts';
import type { Operation } from '../operations.ts';

export interface CapabilitiesContent {
  /** Where every operation is sent to. */
  readonly address: string;
  readonly service: ServiceFacts;
  readonly updateSequence: number;
  readonly operations: readonly Operation[];
  /** In the order of the page. There may be very many. */
  readonly types: Iterable<ListedType>;
  /** How features can be had, the usual way first, by the names that clients ask with. */
  readonly outputFormats: readonly string[];
  /** How types can be described, the usual way first. */
  readonly schemaFormats: readonly string[];
  /** How many features come where nobody says how many. */
  readonly countDefault: number;
  /** In lower case; undefined means all. */
  readonly sections: readonly string[] | undefined;
}

export interface ServiceFacts {
  readonly title: string;
  readonly abstract: string;
  readonly keywords: readonly string[];
  readonly fees: string;
  readonly accessConstraints: string;
  /** A page about the service. */
  readonly onlineResource: string;
  readonly contact: Contact;
}

/** Empty where nothing is known. */
export interface Contact {
  readonly organization: string;
  readonly person: string;
  readonly position: string;
  readonly phone: string;
  readonly facsimile: string;
  readonly email: string;
  readonly deliveryPoint: string;
  readonly city: string;
  readonly administrativeArea: string;
  readonly postalCode: string;
  readonly country: string;
}

export interface ListedType {
  /** Both as XML takes them. */
  readonly prefix: string;
  readonly name: string;
  readonly uri: string;
  readonly title: string;
  readonly abstract: string;
  readonly keywords: readonly string[];
  /** The code of the CRS that it is published in; undefined where none is known. */
  readonly crs: string | undefined;
  /** Codes of others that are offered. */
  readonly otherCrs: readonly string[];
  /** In degrees. */
  readonly bounds: Bounds | undefined;
}

/** `<name>text</name>`, or nothing where there is no text. */
export function element(name: string, text: string): string {
  return text === '' ? '' : `<${name}>${escapeText(text)}</${name}>`;
}

/** The prefix of a type, declared where it stands. */
export function declaration({ prefix, uri }: ListedType): string {
  return ` xmlns:${prefix}="${escapeAttribute(uri)}"`;
}

export function qualifiedName({ prefix, name }: ListedType): string {
  return escapeText(`${prefix}:${name}`);
}

/** Whether a part of the document was asked for. */
export function wants({ sections }: CapabilitiesContent, section: string): boolean {
  return sections === undefined || sections.includes('all') || sections.includes(section.toLowerCase());
}

/** Some types at a time: one by one would be as many waits. */
const TYPES_PER_PIECE = 100;

export function* inPieces(types: Iterable<ListedType>, print: (type: ListedType) => string): Iterable<string> {
  let piece = '';
  let held = 0;
  for (const type of types) {
    piece += print(type);
    held += 1;
    if (held === TYPES_PER_PIECE) {
      yield piece;
      piece = '';
      held = 0;
    }
  }
  yield piece;
}
