/** The content of WFS capabilities for all versions. */
import type { Bounds } from '../../../crs/bounds.ts';
import { escapeAttribute, escapeText } from '../../../lib/xml/escape.ts';
import type { Contact, ServiceFacts } from '../../ows/service-settings.ts';
import type { Operation } from '../request/operations.ts';

export interface CapabilitiesContent {
  /** The address of all operations. */
  readonly address: string;
  readonly service: ServiceFacts;
  readonly contact: Contact;
  readonly updateSequence: number;
  readonly operations: readonly Operation[];
  /** In page order. There may be very many. */
  readonly types: Iterable<ListedType>;
  /** The names of output formats, the default first. */
  readonly outputFormats: readonly string[];
  /** The names of output formats that contain the id of a lock. */
  readonly lockFormats: readonly string[];
  /** The names of schema formats, the default first. */
  readonly schemaFormats: readonly string[];
  /** The default number of features in a response. */
  readonly countDefault: number;
  /** In lower case; undefined for all sections. */
  readonly sections: readonly string[] | undefined;
}

export interface ListedType {
  /** Prefix and name are escaped for XML. */
  readonly prefix: string;
  readonly name: string;
  readonly uri: string;
  readonly title: string;
  readonly abstract: string;
  readonly keywords: readonly string[];
  /** The code of the published CRS; undefined if unknown. */
  readonly crs: string | undefined;
  /** The codes of other offered CRSs. */
  readonly otherCrs: readonly string[];
  /** In degrees. */
  readonly bounds: Bounds | undefined;
  /** Whether transactions are offered for the type, if the service supports them. */
  readonly isWritable: boolean;
}

/** Declares the prefix of a type on its element. */
export function writeNamespaceDeclaration({ prefix, uri }: ListedType): string {
  return ` xmlns:${prefix}="${escapeAttribute(uri)}"`;
}

export function formatQualifiedName({ prefix, name }: ListedType): string {
  return escapeText(`${prefix}:${name}`);
}

/** Returns whether a section was requested. */
export function hasSection({ sections }: CapabilitiesContent, section: string): boolean {
  return sections === undefined || sections.includes('all') || sections.includes(section.toLowerCase());
}
