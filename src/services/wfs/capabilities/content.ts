/** What the capabilities of a WFS tell, whatever the version. */
import type { Bounds } from '../../../crs/bounds.ts';
import { escapeAttribute, escapeText } from '../../../lib/xml/escape.ts';
import type { Contact, ServiceFacts } from '../../ows/service-settings.ts';
import type { Operation } from '../request/operations.ts';

export interface CapabilitiesContent {
  /** Where every operation is sent to. */
  readonly address: string;
  readonly service: ServiceFacts;
  readonly contact: Contact;
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
  /** Whether transactions are offered for it, where the service has them. */
  readonly isWritable: boolean;
}

/** The prefix of a type, declared where it stands. */
export function writeNamespaceDeclaration({ prefix, uri }: ListedType): string {
  return ` xmlns:${prefix}="${escapeAttribute(uri)}"`;
}

export function formatQualifiedName({ prefix, name }: ListedType): string {
  return escapeText(`${prefix}:${name}`);
}

/** Whether a part of the document was asked for. */
export function hasSection({ sections }: CapabilitiesContent, section: string): boolean {
  return sections === undefined || sections.includes('all') || sections.includes(section.toLowerCase());
}
