/** The document of a store, the fields that are translated from it, and faults of all stores. */
import type { Json } from '../../../lib/json/value.ts';
import type { XmlElement } from '../../../lib/xml/element.ts';
import type { Subject } from '../report/report.ts';
import type { Move } from './move.ts';

/** The fields of a store, as far as they are translated. */
export type StoreFields = Map<string, Json>;

export interface StoreDocument {
  readonly root: XmlElement;
  readonly path: string;
  readonly subject: Subject;
}

export function reportMissingCheck({ report }: Move, subject: Subject, url: string): void {
  const host = URL.parse(url)?.host ?? url;
  const message = `No enabled URL check allows requests to '${host}'.`;
  report.add('url-check-missing', subject, message, 'Use --add-url-checks, or add a URL check on the target.');
}

/** A store without the value of a variable is imported as it is, but disabled. */
export function disableForPlaceholder({ report }: Move, fields: StoreFields, subject: Subject, text: string): void {
  fields.set('enabled', false);
  const message = `The store is disabled: a variable of '${text}' is not set.`;
  report.add('environment-placeholder', subject, message, 'Set the environment variable and run the command again.');
}
